import { RETENTION, type Setting, settingAttribute } from '#shared/pages.ts'
import { count } from '../count.ts'

export type PrivacySettings = {
  /** The number of days after which the server deletes a lead, or 0 if it keeps leads until someone deletes them. */
  retentionDays: number
  /** Whether the server posts each lead to another program. */
  postsLeads: boolean
}

/** Removes the sentences of the privacy page that these settings make untrue, and fills in the retention time. */
export function applySettings(html: string, { retentionDays, postsLeads }: PrivacySettings): string {
  const applies: Record<Setting, boolean> = {
    kept: retentionDays === 0,
    deleted: retentionDays > 0,
    posted: postsLeads,
  }
  return html
    .replace(
      new RegExp(`<(\\w+) ${settingAttribute}="(\\w+)">(.*?)</\\1>`, 'gs'),
      (_element, tag: string, setting: Setting, text: string) =>
        applies[setting] ? `<${tag}>${text}</${tag}>` : '',
    )
    .replaceAll(RETENTION, count(retentionDays, 'day'))
}
