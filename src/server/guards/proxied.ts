/**
 * Whether a request's headers show that it came through a proxy. A proxy on this machine may forward requests from anywhere,
 * although the connection is our own user's. A proxy that adds no header cannot be recognised.
 */
export function isProxied(headerNames: Iterable<string>): boolean {
  for (const name of headerNames) if (isProxyHeader(name.toLowerCase())) return true;
  return false;
}

function isProxyHeader(name: string): boolean {
  return names.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
}

const names = new Set(
  [
    // RFC 9110, 7239, 8586 and 9440.
    'via forwarded cdn-loop client-cert client-cert-chain',
    // Common names for the caller's address.
    'client-ip x-client-ip true-client-ip x-true-client-ip x-cluster-client-ip x-remote-ip x-remote-addr x-source-ip',
    'do-connecting-ip wl-proxy-client-ip x-originating-ip x-coming-from',
    // Common names for the original request.
    'x-host x-scheme x-url-scheme x-rewrite-url x-script-name front-end-https',
    'x-varnish x-request-start x-amz-cf-id x-cloud-trace-context',
  ].flatMap((line) => line.split(' ')),
);

const prefixes = [
  'x-forwarded',
  'x-original-',
  'x-real-',
  'x-proxy',
  'proxy-',
  'x-ssl-',
  'ssl-client-',
  // Envoy, HAProxy, Traefik, IIS, Kong, oauth2-proxy.
  'x-envoy-',
  'x-haproxy-',
  'x-traefik-',
  'x-arr-',
  'x-kong-',
  'x-auth-request-',
  // Cloudflare, Fastly, Akamai, Amazon, Azure, Google, Fly, Vercel, Netlify, Railway, Tailscale, ngrok.
  'cf-',
  'fastly-',
  'akamai-',
  'x-akamai-',
  'cloudfront-',
  'x-amzn-',
  'x-azure-',
  'x-appengine-',
  'x-goog-iap-',
  'x-goog-authenticated-user-',
  'fly-',
  'x-vercel-',
  'x-nf-',
  'x-railway-',
  'tailscale-',
  'ngrok-',
];
