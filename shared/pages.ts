/** Every address the SPA can draw; for anything else the server answers 404 with the SPA's own 404 page. */
export const pages = { home: '/' } as const

/**
 * Without JavaScript the address tells the page which reference to show: `/?sent=Q-7K3M-9QXD#sent`. The server writes it
 * into the empty element with this id.
 */
export const sentParameter = 'sent'
export const sentReferenceId = 'sent-reference'

/** Whether the SPA has a page for this path (without query). */
export const isPage = (path: string): boolean => Object.values<string>(pages).includes(path)

/** The parts of the home page that can be linked to, in their order. `sent` is where the form without JavaScript ends. */
export const anchors = {
  services: 'services',
  pricing: 'pricing',
  portfolio: 'portfolio',
  contact: 'contact',
  sent: 'sent',
} as const
