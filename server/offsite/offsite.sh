#!/bin/sh
# Uploads backups to the encrypted restic repository RESTIC_REPOSITORY, and downloads them.
#   offsite                       checks for a new backup every minute and uploads it
#   offsite restore [SNAPSHOT]    downloads the newest backup, or the one in SNAPSHOT, as newest.db
#   offsite COMMAND ...           runs any command, such as `offsite restic snapshots` or `offsite rm`
set -u
export LC_ALL=C
# Backups contain personal data.
umask 077

backups=${BACKUP_DIR:-/data/backups}
own=${OFFSITE_DIR:-/offsite}
record=$own/offsite.json
# Container names change, but restic's retention and "latest" need a constant host name.
host=plumbline
# How long backups are kept: BACKUP_DAYS in shared/pages.ts. At least seven are kept: if the clock jumps ahead, every backup
# looks old.
keep=90d
min_kept=7
# Next to the backups, the records of erased people. With them, a restore of an earlier backup erases these people again.
erasures=erasures.json

say() { echo "$(date -u +%Y-%m-%dT%H:%M:%SZ) $*"; }

# restic hides the password of a URL in its messages, but not if the URL is invalid.
check_url() {
  word="([A-Za-z0-9._~!\$&'()*+,;=-]|%[0-9A-Fa-f]{2})*"
  host='([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]+)?'
  printf '%s\n' "$1" | grep -Eq "^rest:https?://($word(:$word)?@)?$host(/[^@]*)?\$" && return
  say 'RESTIC_REPOSITORY is not a valid URL. In user and password, write @ # / ? : % as %40 %23 %2F %3F %3A %25.'
  exit 1
}

# Runs restic in the background, so that the trap handles signals immediately.
call_restic() {
  restic "$@" &
  child=$!
  wait "$child"
  status=$?
  child=
  return "$status"
}

# `stop` sends SIGINT, because restic doesn't release its repository locks on SIGTERM.
child=
stop() {
  [ -z "$child" ] || { kill -INT "$child"; wait "$child"; }
  exit 0
}

# Prints the name of the newest backup. Only verified files have names in this format. Ignores dates in the future,
# which come from a wrong clock.
newest() {
  ls "$backups" | grep -E '^leads-[0-9-]+T[0-9-]+Z\.db$' |
    awk -v now="$(date -u +leads-%Y-%m-%dT%H-%M-%SZ.db)" '$0 <= now' | tail -n 1
}

# The `doctor` command and the digest email read this file.
write_record() {
  printf '{"backup":%s,"sentAt":"%s"}\n' "$1" "$(date -u +%Y-%m-%dT%H:%M:%SZ)" > "$record.new" &&
    mv "$record.new" "$record"
}

# Creates the repository only once. If it is missing later, its disk is not mounted or its address is wrong.
open_repository() {
  call_restic cat config > /dev/null && return
  if grep -q leads- "$record"; then return 1; fi
  call_restic init
}

send() {
  name=$1
  open_repository && call_restic unlock --quiet && cd "$backups" || return 1
  # Somebody may be erased during the upload: that must be sent, too.
  touch "$own/started"
  [ ! -e "$erasures" ] || set -- "$@" "$erasures"
  call_restic backup --quiet --host "$host" "$@" && write_record "\"$name\"" && touch -r "$own/started" "$record"
}

# Whether the newest backup, or a change of the erased people, has been uploaded.
is_sent() { grep -qF "\"$1\"" "$record" && ! [ "$backups/$erasures" -nt "$record" ]; }

remove_old() {
  call_restic forget --quiet --host "$host" --group-by host --keep-last "$min_kept" --keep-within "$keep" --prune
}

send_forever() {
  [ -e "$record" ] || write_record null
  while :; do
    name=$(newest)
    if [ -n "$name" ] && ! is_sent "$name"; then
      if send "$name"; then
        say "sent $name"
        remove_old || say "could not remove old backups; will retry after the next backup"
      else
        say "could not send $name; will retry in a minute"
      fi
    fi
    # A fetched backup contains personal data: delete it after an hour.
    find "$own" -name newest.db -mmin +60 -delete
    sleep 60 &
    wait $!
  done
}

fetch() {
  fetched=$own/fetched
  rm -rf "$fetched"
  call_restic restore "$1" --host "$host" --target "$fetched" || exit 1
  # An earlier backup doesn't have the records of people who were erased later.
  call_restic restore latest --host "$host" --target "$fetched" --include "$erasures" || exit 1
  [ ! -e "$fetched/$erasures" ] || mv "$fetched/$erasures" "$own/$erasures"
  name=$(cd "$fetched" && ls)
  mv "$fetched/$name" "$own/newest.db" && chmod 600 "$own/newest.db" && touch "$own/newest.db" && rmdir "$fetched" || exit 1
  echo "Fetched $name. Now: docker compose run --rm web restore offsite/newest.db"
}

trap stop TERM INT
case ${RESTIC_REPOSITORY:-} in rest:*) check_url "$RESTIC_REPOSITORY" ;; esac
case ${1:-} in
  '') send_forever ;;
  restore) fetch "${2:-latest}" ;;
  *) exec "$@" ;;
esac
