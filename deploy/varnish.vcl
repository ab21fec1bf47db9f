# bicycle-catalogue behind Varnish (6.0 or later), which takes -p http_gzip_support=off, so that each coding keeps its own tag. Yours to
# write in are the addresses of the servers, here and in vcl_init.
vcl 4.1;

import directors;
import std;

# Servers with the same data, --token-secret-file and --redis-url.
backend one { .host = "127.0.0.1"; .port = "3001"; .connect_timeout = 1s; .first_byte_timeout = 30s; }
backend two { .host = "127.0.0.1"; .port = "3002"; .connect_timeout = 1s; .first_byte_timeout = 30s; }

sub vcl_init {
  new servers = directors.shard();
  servers.add_backend(one);
  servers.add_backend(two);
  servers.reconfigure();
}

sub vcl_recv {
  # --trust-proxy believes all of this, so nothing of it may be the client's own word.
  set req.http.X-Forwarded-For = client.ip;
  set req.http.X-Forwarded-Proto = "http";
  if (std.port(server.ip) == 443) { set req.http.X-Forwarded-Proto = "https"; } # behind hitch, which tells it by the PROXY protocol
  unset req.http.X-Forwarded-Host;
  unset req.http.X-Kept;

  # The coding that the servers are asked for; those that compress nothing have one answer for all three.
  if (req.http.Accept-Encoding ~ "(?i)(^|,)\s*br\s*(;\s*q=(1|0\.0*[1-9])|,|$)") {
    set req.http.Accept-Encoding = "br";
  } elsif (req.http.Accept-Encoding ~ "(?i)(^|,)\s*(x-)?gzip\s*(;\s*q=(1|0\.0*[1-9])|,|$)") {
    set req.http.Accept-Encoding = "gzip";
  } else {
    unset req.http.Accept-Encoding;
  }

  # What the cache does not answer: above all version 2, which asks for the token each time.
  if (req.method != "GET" && req.method != "HEAD") {
    # A short body is kept, so that another server can be asked when one has gone.
    if (std.integer(req.http.Content-Length, 65536) < 65536) { std.cache_req_body(64KB); }
    return (pass);
  }
  if (req.url ~ "^/api/v2/" || req.http.Prefer || req.http.If-Match || req.http.If-Unmodified-Since) { return (pass); }

  # One Accept for all that are answered alike: q counts for nothing, what is most specific decides, JSON comes before pages; a format in
  # the address decides where anything is taken. The rare ones are asked as they are.
  if (!req.http.Accept) { set req.http.Accept = "*/*"; }
  if (req.http.Accept ~ "(?i)indent") { return (pass); }
  if (req.url ~ "(?i)\?.*(format|%)") {
    if (req.http.Accept !~ "(^|,)\s*\*/\*\s*(;|,|$)") { return (pass); }
    set req.http.Accept = "*/*";
  } elsif (req.http.Accept ~ "(?i)(^|,)\s*(application/json|text/html)\s*;(?!\s*q=[0-9.]+\s*(,|$))") {
    return (pass);
  } elsif (req.http.Accept ~ "(?i)(^|,)\s*application/json\s*(;|,|$)") {
    set req.http.Accept = "application/json";
  } elsif (req.http.Accept ~ "(?i)(^|,)\s*text/html\s*(;|,|$)") {
    set req.http.Accept = "text/html";
  } elsif (req.http.Accept ~ "(?i)(^|,)\s*application/\*\s*(;|,|$)") {
    set req.http.Accept = "application/json";
  } elsif (req.http.Accept ~ "(?i)(^|,)\s*text/\*\s*(;|,|$)") {
    set req.http.Accept = "text/html";
  } elsif (req.http.Accept ~ "(?i)(^|,)\s*\*/(\*|json)\s*(;|,|$)") {
    set req.http.Accept = "application/json";
  } else {
    return (pass);
  }

  unset req.http.If-Modified-Since; # only tags make a 304
  if (req.url ~ "^/api/") { unset req.http.Range; }
  # What is too old is asked for anew, but for those who come meanwhile; a restart takes what there is.
  if (req.restarts == 0) { set req.grace = 10s; }
  set req.http.X-Kept = "may be";
  return (hash);
}

sub vcl_hash {
  hash_data(req.http.X-Forwarded-Proto);
}

sub vcl_backend_fetch {
  unset bereq.http.X-Kept;
  # Each address has its server; another one is asked when that has gone.
  set bereq.backend = servers.backend(by=HASH, alt=bereq.retries, healthy=ALL);
}

sub vcl_backend_response {
  if (beresp.http.Cache-Control ~ "^public") {
    # What is left of one client's allowance is no news for another: it stands only on answers that no cache keeps.
    unset beresp.http.X-RateLimit-Limit;
    unset beresp.http.X-RateLimit-Remaining;
    unset beresp.http.X-RateLimit-Reset;
    set beresp.grace = 1d; # while no server answers
    return (deliver);
  }
  if (bereq.is_bgfetch) { return (abandon); } # an error does not take the place of an answer
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
  if (req.http.X-Kept && req.restarts == 0 && (resp.status == 429 || resp.status >= 500)) { return (restart); }
  if (req.url ~ "^/api/") { unset resp.http.Accept-Ranges; }
  unset resp.http.X-Varnish;
  # Varnish knows a single tag, a client may send several, or any.
  if (resp.http.ETag && (req.http.If-None-Match == "*" || std.strstr(req.http.If-None-Match, resp.http.ETag))) {
    set req.http.If-None-Match = resp.http.ETag;
  }
}
