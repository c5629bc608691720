# The first stage builds the page, and the second installs the server's packages. The final image has only what the server
# needs.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional

FROM node:24-bookworm-slim
# SQLITE_TMPDIR: rewriting the database needs a temporary file of the same size, which may not fit in /tmp.
# MALLOC_ARENA_MAX: by default, glibc's allocator creates a separate heap for each thread, which costs 7 MB in total.
ENV NODE_ENV=production DATA_DIR=/data SQLITE_TMPDIR=/data MALLOC_ARENA_MAX=1
WORKDIR /app
# Docker gives a new volume the content and owner of this folder.
RUN mkdir -p /data/offsite && chown -R node:node /data
COPY --from=packages /app/node_modules node_modules
COPY package.json ./
COPY shared shared
COPY server server
COPY --from=build /app/client/dist client/dist
COPY --from=build /app/server/leads/spam/dist server/leads/spam/dist
# Commands for use in the container, such as `docker compose exec web doctor`.
RUN for name in leads doctor backup restore; do \
    printf '#!/bin/sh\nexec node --optimize-for-size /app/server/cli/%s.ts "$@"\n' "$name" > "/usr/local/bin/$name" \
    && chmod 755 "/usr/local/bin/$name"; \
  done
RUN mkdir node_modules/.cache && chown node:node node_modules/.cache
USER 1000:1000
# These two commands fill the compile cache. Each program loads its code, then exits: the inbox's reader process because it
# finds no database, the server because it rejects the port. The server runs last: the two have different flags, and for a
# file that both load, the cache keeps only the last result. The server's exit code is an error, so `ls` sets the final one:
# it fails if the cache is empty.
RUN NODE_COMPILE_CACHE=/app/node_modules/.cache/server node --optimize-for-size server/inbox/reads/reader-process.ts
RUN PORT=none node --no-maglev server/start.js || ls node_modules/.cache/server/*
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=5s \
  CMD ["node", "--eval", "fetch(`http://localhost:${process.env.PORT || 3000}/healthz/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--no-maglev", "server/start.js"]
