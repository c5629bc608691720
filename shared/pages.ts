import { portfolio } from '#facts/portfolio.ts'

/** Without samples, nothing leads to them. */
export const hasSamples = portfolio.length > 0

/** The paths of the public pages. */
export const pages = { home: '/', privacy: '/privacy' } as const

/**
 * After the form is sent without JavaScript, the URL contains the reference:
 * `/?sent=Q-7K3M-9QXD#sent`. The server shows the panel with the confirmation, and inserts the
 * reference into the element with the id `sentReferenceId`.
 */
export const sentParameter = 'sent'
export const sentPanelId = 'sent-panel'
export const sentReferenceId = 'sent-reference'

/**
 * Marks an element that depends on a setting of the server. The build renders all of them. The
 * server removes those that don't apply, and lists the settings that apply in `<html
 * data-settings>`, from where the script reads them.
 */
export const settingAttribute = 'data-if'
/** `public`: the site is on the internet. The others are about the privacy page. */
export type Setting = 'public' | 'kept' | 'deleted' | 'posted'
export const SETTINGS = '%SETTINGS%'
/** A placeholder for the public URL without a trailing slash. The server fills it in. */
export const SITE_URL = '%SITE_URL%'
/**
 * A placeholder for the age at which leads are deleted, such as "365 days". The server fills it in.
 */
export const RETENTION = '%RETENTION%'

/**
 * A backup, here or offsite, is at most this old. Until then, it may still contain a person who was
 * erased.
 */
export const BACKUP_DAYS = 90

/**
 * The home page's anchors, in page order. Without JavaScript, sending the form redirects to `sent`.
 */
export const anchors = {
  services: 'services',
  pricing: 'pricing',
  portfolio: 'portfolio',
  contact: 'contact',
  sent: 'sent',
} as const
