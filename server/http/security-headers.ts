import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import helmet from 'helmet'

type Options = {
  /** Whether the public address is https: only then may browsers be told never to use plain http. */
  isHttps: boolean
  /** What the documents have inside, as sources for the policy: `'sha256-...'`. */
  hashes?: { styles: readonly string[]; scripts: readonly string[] }
}

const deniedFeatures = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
  'xr-spatial-tracking',
]

/** The headers of every answer. They never change, so helmet makes them once and not for each request. */
export function securityHeaders({ isHttps, hashes }: Options): OutgoingHttpHeaders {
  const self = ["'self'"]
  const none = ["'none'"]
  const setHeaders = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: none,
        scriptSrc: [...self, ...(hashes?.scripts ?? [])],
        styleSrc: [...self, ...(hashes?.styles ?? [])],
        // The icon stands in the document, as a `data:` address.
        imgSrc: [...self, 'data:'],
        fontSrc: self,
        connectSrc: self,
        manifestSrc: self,
        baseUri: none,
        formAction: self,
        frameAncestors: none,
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: none,
        // On plain http this would break the site under any name but localhost.
        ...(isHttps && { upgradeInsecureRequests: [] }),
      },
    },
    // Not for subdomains: these may be somebody else's, and without TLS.
    strictTransportSecurity: isHttps && { maxAge: 31_536_000, includeSubDomains: false },
    crossOriginEmbedderPolicy: { policy: 'require-corp' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    xFrameOptions: { action: 'deny' },
    // For browsers that are gone: they would only make each answer longer.
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  })
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  setHeaders(request, response, () => {})
  response.setHeader('Permissions-Policy', deniedFeatures.map((feature) => `${feature}=()`).join(', '))
  return { ...response.getHeaders() }
}
