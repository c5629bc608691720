/** Every page of the SPA; the server responds to any other path with the SPA's 404 page. */
export const pages = { home: '/' } as const

/**
 * Without JavaScript, the URL contains the reference to show: `/?sent=Q-7K3M-9QXD#sent`. The server writes it into the empty
 * element with this id.
 */
export const sentParameter = 'sent'
export const sentReferenceId = 'sent-reference'

/** Whether the SPA has a page for this path, without its query. */
export const isPage = (path: string): boolean => Object.values<string>(pages).includes(path)

/** The home page's anchors, in page order. The form without JavaScript redirects to `sent`. */
export const anchors = {
  services: 'services',
  pricing: 'pricing',
  portfolio: 'portfolio',
  contact: 'contact',
  sent: 'sent',
} as const
