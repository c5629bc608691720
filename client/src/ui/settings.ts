import { RETENTION, type Setting, settingAttribute } from '#shared/pages.ts'

/**
 * What the server has filled in; nothing while the build prerenders the page, and in development.
 */
const { settings, retention }: DOMStringMap = globalThis.document?.documentElement.dataset ?? {}

/**
 * Whether a setting applies. Everything applies while the build prerenders the page: the server
 * removes the rest.
 */
export const applies = (setting: Setting): boolean => settings?.split(' ').includes(setting) ?? true

/** Marks an element that the server removes unless the setting applies. */
export const onlyIf = (setting: Setting) => ({ [settingAttribute]: setting })

/** Replaces the placeholder for the age at which leads are deleted. */
export const fillRetention = (text: string): string => text.replace(RETENTION, retention ?? RETENTION)
