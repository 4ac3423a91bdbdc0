# The KV server of the profile "denokv" in compose.yaml; see docs/ops/denokv.md. Building it takes half an hour on two cores.
FROM docker.io/library/rust:1-slim-trixie AS build
RUN apt-get update && apt-get install -y --no-install-recommends build-essential pkg-config libssl-dev
RUN cargo install denokv@0.14.0 --root /opt/denokv

FROM docker.io/library/debian:trixie-slim
RUN apt-get update && apt-get install -y --no-install-recommends curl ca-certificates \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --system --uid 1993 denokv \
  && install -d -o denokv -g denokv -m 0700 /var/lib/denokv
COPY --from=build /opt/denokv/bin/denokv /usr/local/bin/denokv
COPY docs/ops/denokv-check.sh /usr/local/bin/denokv-check
USER denokv
VOLUME /var/lib/denokv
# Only its owner may read the file, which denokv itself does not ensure.
ENTRYPOINT ["/bin/sh", "-c", "umask 077 && exec denokv --sqlite-path /var/lib/denokv/gatehouse.sqlite serve --addr 127.0.0.1:4512"]
