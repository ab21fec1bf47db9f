# Varnish (6.0 or later) in front of bicycle-catalogue. Start it with -p http_gzip_support=off, so that each coding keeps its own ETag.
# Set the addresses of the servers below, and list the servers in vcl_init.
vcl 4.1;

import directors;
import std;

# All servers need the same data, --token-secret-file and --redis-url.
backend one { .host = "127.0.0.1"; .port = "3001"; .connect_timeout = 1s; .first_byte_timeout = 30s; }
backend two { .host = "127.0.0.1"; .port = "3002"; .connect_timeout = 1s; .first_byte_timeout = 30s; }

sub vcl_init {
  new servers = directors.shard();
  servers.add_backend(one);
  servers.add_backend(two);
  servers.reconfigure();
}

sub vcl_recv {
  # The servers trust these headers (--trust-proxy), so Varnish overwrites those of the client.
  set req.http.X-Forwarded-For = client.ip;
  set req.http.X-Forwarded-Proto = "http";
  if (std.port(server.ip) == 443) { set req.http.X-Forwarded-Proto = "https"; } # set by hitch, over the PROXY protocol
  unset req.http.X-Forwarded-Host;
  unset req.http.X-Cacheable;

  unset req.http.Range; # the servers ignore it

  # These requests bypass the cache, above all those of version 2, which need a token.
  if (req.method != "GET" && req.method != "HEAD") {
    # Buffer a short body, so that the request can be retried on another server.
    if (std.integer(req.http.Content-Length, 65536) < 65536) { std.cache_req_body(64KB); }
    return (pass);
  }
  if (req.url ~ "^[^?]*/api/v2/" || req.http.Prefer || req.http.If-Match || req.http.If-Unmodified-Since) { return (pass); }

  unset req.http.If-Modified-Since; # only If-None-Match leads to a 304
  # Serve a stale response for up to 10 s while it is revalidated. After a restart, serve it without that limit.
  if (req.restarts == 0) { set req.grace = 10s; }
  set req.http.X-Cacheable = "yes";
  return (hash);
}

sub vcl_hash {
  hash_data(req.http.X-Forwarded-Proto);
}

sub vcl_backend_fetch {
  unset bereq.http.X-Cacheable;
  # Each URL has its server; retries go to another one.
  set bereq.backend = servers.backend(by=HASH, alt=bereq.retries, healthy=ALL);
}

sub vcl_backend_response {
  # Varnish drops Content-Encoding from a response without a body.
  if (beresp.http.Content-Encoding) { set beresp.http.X-Coding = beresp.http.Content-Encoding; }
  if (beresp.http.Cache-Control ~ "^public") {
    # Rate limit headers are for a single client, so they are removed from cacheable responses.
    unset beresp.http.X-RateLimit-Limit;
    unset beresp.http.X-RateLimit-Remaining;
    unset beresp.http.X-RateLimit-Reset;
    set beresp.grace = 1d; # while no server responds
    return (deliver);
  }
  if (bereq.is_bgfetch) { return (abandon); } # an error must not replace a cached response
  set beresp.uncacheable = true;
  set beresp.ttl = 0s;
  return (deliver);
}

sub vcl_backend_error {
  if (bereq.is_bgfetch) { return (abandon); }
  if (bereq.retries == 0) { return (retry); }
  set beresp.status = 503;
  set beresp.http.Content-Type = "application/json";
  set beresp.http.Cache-Control = "no-store";
  set beresp.http.Retry-After = "5";
  set beresp.http.Access-Control-Allow-Origin = "*";
  synthetic({"{"detail":"Service temporarily unavailable, try again later.""} + "}");
  return (deliver);
}

sub vcl_deliver {
  if (req.http.X-Cacheable && req.restarts == 0 && (resp.status == 429 || resp.status >= 500)) { return (restart); }
  unset resp.http.Accept-Ranges;
  unset resp.http.X-Varnish;
  if (resp.http.X-Coding) { set resp.http.Content-Encoding = resp.http.X-Coding; }
  unset resp.http.X-Coding;
  # Varnish compares a single ETag, but clients can send several, or `*`.
  if (resp.http.ETag && (req.http.If-None-Match == "*" || std.strstr(req.http.If-None-Match, resp.http.ETag))) {
    set req.http.If-None-Match = resp.http.ETag;
  }
}
