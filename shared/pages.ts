/** For any other path, the server sends the 404 page. */
export const pages = { home: '/' } as const

/**
 * After the form is sent without JavaScript, the URL contains the reference: `/?sent=Q-7K3M-9QXD#sent`. The server
 * inserts the reference into the element with the id `sentReferenceId`.
 */
export const sentParameter = 'sent'
export const sentReferenceId = 'sent-reference'

/** The home page's anchors, in page order. Without JavaScript, sending the form redirects to `sent`. */
export const anchors = {
  services: 'services',
  pricing: 'pricing',
  portfolio: 'portfolio',
  contact: 'contact',
  sent: 'sent',
} as const
