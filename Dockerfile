# syntax=docker/dockerfile:1
# docs/ops/container.md describes how to build and run this image.

ARG BUILD_IMAGE=docker.io/denoland/deno:2.9.6
# A C library and certificates, no shell. Its user "nonroot" has the id 65532.
ARG RUN_IMAGE=gcr.io/distroless/cc-debian12:nonroot

FROM ${BUILD_IMAGE} AS build
WORKDIR /app
COPY . .
RUN DENO_DIR=/tmp/deno deno task build \
  # Only the packages of deno.lock, so not those of the tests.
  && DENO_DIR=/app/.deno deno cache --quiet --frozen --lock=deno.lock serve.ts tools/healthcheck.ts \
  && mkdir -m 0700 /tmp/store /tmp/anchor

FROM ${RUN_IMAGE}
COPY --from=build /usr/bin/deno /usr/bin/deno
COPY --from=build /app /app
COPY --from=build --chown=65532:65532 /tmp/store /var/lib/gatehouse
COPY --from=build --chown=65532:65532 /tmp/anchor /var/lib/gatehouse-anchor
WORKDIR /app
USER 65532:65532
ENV APP_ENV=production \
  DENO_DIR=/app/.deno \
  DENO_NO_UPDATE_CHECK=1 \
  HOST=0.0.0.0 \
  PORT=8000 \
  KV_PATH=/var/lib/gatehouse/gatehouse.kv \
  LOG_ANCHOR=/var/lib/gatehouse-anchor/log
VOLUME /var/lib/gatehouse /var/lib/gatehouse-anchor
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=3s --start-period=20s --retries=3 \
  CMD ["/usr/bin/deno", "run", "--no-prompt", "--cached-only", "--allow-env=PORT", "--allow-net=127.0.0.1", "tools/healthcheck.ts"]
ENTRYPOINT ["/usr/bin/deno", "run", "-P=site", "--no-prompt", "--frozen", "--lock=deno.lock", "--cached-only", "--env-file=telemetry.env", "serve.ts"]
