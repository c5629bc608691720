# Replaces the official PostgreSQL image if it can't be downloaded. Contains Debian's PostgreSQL, and supports only the
# settings that docker-compose.yml uses.
FROM node:24-bookworm-slim
RUN apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql \
  && rm -rf /var/lib/apt/lists/* /var/lib/postgresql/* \
  && mkdir -p /var/lib/postgresql/data && chown postgres:postgres /var/lib/postgresql/data \
  && ln -s /usr/lib/postgresql/*/bin/* /usr/local/bin/
RUN printf '%s\n' '#!/bin/sh' 'set -e' \
  'if [ ! -s "$PGDATA/PG_VERSION" ]; then' \
  '  echo "$POSTGRES_PASSWORD" > /tmp/password' \
  '  initdb -D "$PGDATA" -U "$POSTGRES_USER" --pwfile=/tmp/password --auth-host=scram-sha-256 --encoding=UTF8 --locale=C.UTF-8' \
  '  echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"' \
  '  pg_ctl -D "$PGDATA" -o "-c listen_addresses=" -w start' \
  '  createdb -U "$POSTGRES_USER" "$POSTGRES_DB"' \
  '  pg_ctl -D "$PGDATA" -w stop' \
  'fi' \
  'exec postgres -D "$PGDATA" -c "listen_addresses=*"' > /usr/local/bin/start && chmod 755 /usr/local/bin/start
ENV PGDATA=/var/lib/postgresql/data
STOPSIGNAL SIGINT
CMD ["start"]
