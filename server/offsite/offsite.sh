#!/bin/sh
# Sends each new backup, encrypted, to the restic repository at RESTIC_REPOSITORY, and fetches backups from it.
#   offsite                       checks every minute for a newer backup and sends it
#   offsite restore [SNAPSHOT]    fetches the newest backup, or that of the snapshot, as newest.db
#   offsite COMMAND ...           runs any command, such as `offsite restic snapshots` or `offsite rm`
set -u
export LC_ALL=C
# Backups contain personal data.
umask 077

backups=${BACKUP_DIR:-/data/backups}
own=${OFFSITE_DIR:-/offsite}
keep=${OFFSITE_KEEP:-90d}
record=$own/offsite.json
# A fixed host name: container names change, but retention and "latest" need one series.
series=plumbline
# As on the server: a clock that jumps ahead must not expire all backups.
keep_at_least=7

say() { echo "$(date -u +%Y-%m-%dT%H:%M:%SZ) $*"; }

# In the background, so that the trap handles a signal immediately.
call_restic() {
  restic "$@" &
  child=$!
  wait "$child"
  status=$?
  child=
  return "$status"
}

# Restic removes its repository locks on SIGINT, but not on SIGTERM. An interrupted upload leaves no snapshot.
child=
stop() {
  [ -z "$child" ] || { kill -INT "$child"; wait "$child"; }
  exit 0
}

# The newest backup. Only verified files have such a name. A time in the future came from a wrong clock.
newest() {
  ls "$backups" | grep -E '^leads-[0-9-]+T[0-9-]+Z\.db$' |
    awk -v now="$(date -u +leads-%Y-%m-%dT%H-%M-%SZ.db)" '$0 <= now' | tail -n 1
}

# Doctor and digest read this.
write_record() {
  printf '{"backup":%s,"sentAt":"%s"}\n' "$1" "$(date -u +%Y-%m-%dT%H:%M:%SZ)" > "$record.new" &&
    mv "$record.new" "$record"
}

# Creates the repository only the first time: later, a missing one means an unmounted disk or a wrong address.
open_repository() {
  call_restic cat config > /dev/null && return
  if grep -q leads- "$record"; then return 1; fi
  call_restic init
}

send() {
  open_repository && call_restic unlock --quiet && cd "$backups" &&
    call_restic backup --quiet --host "$series" "$1" && write_record "\"$1\""
}

remove_old() {
  call_restic forget --quiet --host "$series" --group-by host --keep-last "$keep_at_least" --keep-within "$keep" --prune
}

send_forever() {
  [ -e "$record" ] || write_record null
  while :; do
    name=$(newest)
    if [ -n "$name" ] && ! grep -qF "\"$name\"" "$record"; then
      if send "$name"; then
        say "sent $name"
        remove_old || say "could not remove old backups; will retry after the next backup"
      else
        say "could not send $name; will retry in a minute"
      fi
    fi
    # A fetched backup contains personal data.
    find "$own" -name newest.db -mmin +60 -delete
    sleep 60 &
    wait $!
  done
}

fetch() {
  fetched=$own/fetched
  rm -rf "$fetched"
  call_restic restore "$1" --host "$series" --target "$fetched" || exit 1
  name=$(cd "$fetched" && ls)
  mv "$fetched/$name" "$own/newest.db" && chmod 600 "$own/newest.db" && touch "$own/newest.db" && rmdir "$fetched" || exit 1
  echo "Fetched $name. Now: docker compose run --rm web restore offsite/newest.db"
}

trap stop TERM INT
case ${1:-} in
  '') send_forever ;;
  restore) fetch "${2:-latest}" ;;
  *) exec "$@" ;;
esac
