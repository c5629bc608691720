# Replaces the official Caddy image if it can't be downloaded. Contains Debian's Caddy and has the same folders.
FROM node:24-bookworm-slim
RUN apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends caddy \
  && rm -rf /var/lib/apt/lists/* && mkdir -p /data /config /etc/caddy
ENV XDG_DATA_HOME=/data XDG_CONFIG_HOME=/config
CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]
