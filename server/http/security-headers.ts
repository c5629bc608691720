import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import helmet from 'helmet'

type Options = {
  /** Whether the public URL is https. If so, the headers tell browsers to use only https. */
  isHttps: boolean
  /** Policy sources (`'sha256-...'`) of the inlined styles and scripts. */
  hashes?: { styles: readonly string[]; scripts: readonly string[] }
}

const DENY_FEATURES =
  'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()'

/**
 * The headers of every response. They never change, so they are created once instead of for each
 * request.
 */
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
        // The icon is inlined as a `data:` URL.
        imgSrc: [...self, 'data:'],
        fontSrc: self,
        connectSrc: self,
        manifestSrc: self,
        baseUri: none,
        formAction: self,
        frameAncestors: none,
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: none,
        // On plain http, this would break the site on any host but localhost.
        ...(isHttps && { upgradeInsecureRequests: [] }),
      },
    },
    // Excludes subdomains, because someone else may run them without TLS.
    strictTransportSecurity: isHttps && { maxAge: 31_536_000, includeSubDomains: false },
    crossOriginEmbedderPolicy: { policy: 'require-corp' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    xFrameOptions: { action: 'deny' },
  })
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  setHeaders(request, response, () => {})
  return { ...response.getHeaders(), 'Permissions-Policy': DENY_FEATURES }
}
