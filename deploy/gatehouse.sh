#!/usr/bin/env bash
# Installs and upgrades the site as a systemd service; docs/ops/systemd.md describes it. Run as root, in a
# clone of the repository:
#
#   deploy/gatehouse.sh install [<commit>]
#   deploy/gatehouse.sh upgrade [--new-format] [<commit>]
#   deploy/gatehouse.sh rollback
#   deploy/gatehouse.sh run <task> [<argument> …]
#
# <commit> is a commit, tag or branch; the default is HEAD. Each version has its own folder with its build
# and packages, so an upgrade does not touch the version that runs.
set -euo pipefail
umask 022

readonly HOME_DIR=/srv/gatehouse SETTINGS=/etc/gatehouse.env STATE=/var/lib/gatehouse
source_dir=$(cd "$(dirname "$0")/.." && pwd)

say() { printf '%s\n' "$*"; }
fail() { printf '%s\n' "$*" >&2; exit 1; }

# Builds a version in its own folder, unless that is done already, and sets `release` to the folder.
build() {
  local commit
  commit=$(git -C "$source_dir" rev-parse --short=12 --verify "$1^{commit}")
  release=$HOME_DIR/releases/$commit
  if [ ! -e "$release/revision.env" ]; then
    say "Building $commit."
    rm -rf "$release" && mkdir -p "$release"
    git -C "$source_dir" archive "$commit" | tar -x -C "$release"
    (cd "$release" && export DENO_DIR=$release/.deno && deno task --quiet build &&
      deno cache --quiet --frozen --lock=deno.lock serve.ts lib/app/commands/*.ts)
    echo "REVISION=$commit" > "$release/revision.env" # last, because it marks a complete build
  fi
}

# Runs a task of a version as the site's user, with the site's variables. A KV_PATH of the caller takes precedence:
# KV_PATH=<copy> deploy/gatehouse.sh run chain:reconcile must not open the site's own store.
run_task() {
  local folder=$1 given=${KV_PATH:-}; shift
  (
    set -a
    APP_ENV=production KV_PATH=$STATE/gatehouse.kv LOG_ANCHOR=$STATE-anchor/log
    . "$folder/revision.env"
    . "$SETTINGS"
    KV_PATH=${given:-$KV_PATH}
    DENO_DIR=$folder/.deno DENO_NO_UPDATE_CHECK=1 HOME=$STATE
    cd "$folder"
    exec setpriv --reuid=gatehouse --regid=gatehouse --clear-groups deno task --quiet "$@"
  )
}

# Installs the units of a version: the site, and the timer of its backups.
install_units() {
  install -m 644 -t /etc/systemd/system "$1"/docs/ops/gatehouse.service \
    "$1"/docs/ops/gatehouse-backup.service "$1"/docs/ops/gatehouse-backup.timer
  systemctl daemon-reload
}

# Makes a version the current one, and restarts the service.
switch_to() {
  ln -sfn "$1" "$HOME_DIR/next" && mv -T "$HOME_DIR/next" "$HOME_DIR/current"
  install_units "$1"
  systemctl restart gatehouse
}

# Waits until the version responds that it is ready.
is_ready() {
  local url revision
  url=http://127.0.0.1:$(. "$SETTINGS" && echo "${PORT:-8000}")/readyz
  revision=$(. "$1/revision.env" && . "$SETTINGS" && echo "$REVISION")
  for _ in $(seq 120); do
    curl -fsS --max-time 2 "$url" 2>/dev/null | grep -q "\"revision\":\"$revision\"" && return
    sleep 1
  done
  return 1
}

install_site() {
  id gatehouse >/dev/null 2>&1 ||
    useradd --system --home-dir "$STATE" --shell /usr/sbin/nologin gatehouse
  build "${1:-HEAD}"
  # It also writes the proxy's file.
  if [ ! -e "$SETTINGS" ]; then
    (cd "$release" && DENO_DIR=$release/.deno deno task --quiet setup)
  fi
  install -d -m 700 -o gatehouse -g gatehouse "$STATE" "$STATE/backups" "$STATE-anchor"
  ln -sfn "$release" "$HOME_DIR/next" && mv -T "$HOME_DIR/next" "$HOME_DIR/current"
  install_units "$release"
  say "Installed. This is what check-config says of $SETTINGS:"
  run_task "$release" check-config || true
  say "Then run: systemctl enable --now gatehouse gatehouse-backup.timer"
}

upgrade() {
  local accepted=no before status=0
  if [ "${1:-}" = --new-format ]; then accepted=yes; shift; fi
  before=$(readlink -f "$HOME_DIR/current") || fail "Nothing is installed. Run: $0 install"
  build "${1:-HEAD}"
  [ "$release" != "$before" ] || fail "This version is running already."
  run_task "$release" check-config || fail "The running version was not changed."
  run_task "$release" store:format || status=$?
  case $status in
    0) ;;
    3) [ $accepted = yes ] || fail "Stop all other processes of this store, then add --new-format." ;;
    *) fail "The running version was not changed." ;;
  esac
  # What was written after the backup would be lost on the way back from a new format.
  [ $status = 0 ] || systemctl stop gatehouse
  if ! back_up "$before"; then
    [ $status = 0 ] || systemctl start gatehouse
    fail "There is no backup, so the running version was not changed."
  fi
  ln -sfn "$before" "$HOME_DIR/previous"
  switch_to "$release"
  if is_ready "$release"; then
    say "${release##*/} is running. To go back: $0 rollback"
  elif [ $status = 3 ]; then
    fail "${release##*/} is not ready; see journalctl -u gatehouse, and \"Roll back\" in docs/upgrade.md."
  else
    switch_to "$before"
    fail "${release##*/} was not ready within two minutes, so ${before##*/} runs again; see journalctl -u gatehouse."
  fi
}

# Copies the store with the version that runs.
back_up() {
  local name=$STATE/backups/$(date -u +%Y%m%dT%H%M%SZ)-${1##*/} store
  store=$(. "$SETTINGS" && echo "${KV_PATH:-}")
  case $store in
    http://*|https://*) run_task "$1" export "$name.jsonl" ;;
    *) run_task "$1" backup "$name.kv" ;;
  esac
}

rollback() {
  local before
  before=$(readlink -f "$HOME_DIR/previous") || fail "No version ran before this one."
  run_task "$before" store:format || fail "The store has a newer format: see \"Roll back\" in docs/upgrade.md."
  ln -sfn "$(readlink -f "$HOME_DIR/current")" "$HOME_DIR/previous"
  switch_to "$before"
  is_ready "$before" || fail "${before##*/} is not ready; see journalctl -u gatehouse."
  say "${before##*/} is running."
}

[ "$(id -u)" = 0 ] || fail "Run this as root."
PATH=/usr/local/bin:/usr/bin:/usr/sbin:/bin:/sbin # where systemd looks for programs
for program in deno git curl setpriv systemctl; do
  command -v "$program" >/dev/null || fail "$program is missing: see docs/ops/systemd.md."
done
command=${1:-}
[ $# = 0 ] || shift
case $command in
  install) install_site "$@" ;;
  upgrade) upgrade "$@" ;;
  rollback) rollback ;;
  run) run_task "$HOME_DIR/current" "$@" ;;
  *) sed -n '2,11s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac
