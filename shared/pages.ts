/** The paths of the public pages. */
export const pages = { home: '/', privacy: '/privacy' } as const

/**
 * After the form is sent without JavaScript, the URL contains the reference: `/?sent=Q-7K3M-9QXD#sent`. The server
 * inserts the reference into the element with the id `sentReferenceId`.
 */
export const sentParameter = 'sent'
export const sentReferenceId = 'sent-reference'
/** The id of the element whose text screen readers say at once. */
export const announcementId = 'announcement'
/** The id of the element that says when the quote is due. */
export const quoteDueId = 'quote-due'

/**
 * Marks a sentence of the privacy page that depends on a setting. The build includes all of these sentences, and the server
 * removes those that don't apply to its settings.
 */
export const settingAttribute = 'data-if'
export type Setting = 'kept' | 'deleted' | 'posted'
/** A placeholder on the privacy page. The server replaces it with the age at which leads are deleted, such as "365 days". */
export const RETENTION = '%RETENTION%'

/** A backup, here or offsite, is at most this old. Until then, it may still contain a person who was erased. */
export const BACKUP_DAYS = 90

/** The home page's anchors, in page order. Without JavaScript, sending the form redirects to `sent`. */
export const anchors = {
  services: 'services',
  pricing: 'pricing',
  portfolio: 'portfolio',
  contact: 'contact',
  sent: 'sent',
} as const
