import { existsSync } from 'node:fs'
import { checkBackups } from './backups.ts'
import { checkConfiguration } from './configuration.ts'
import { checkDataDirectory } from './data-directory.ts'
import { checkDatabase } from './database.ts'
import type { Finding } from './finding.ts'
import { checkMailServer } from './mail-server.ts'
import { checkProxy } from './proxy.ts'
import { checkRunningServer } from './running-server.ts'
import { checkSenderDomain, type ResolveTxt } from './sender-domain.ts'

/** What the doctor sees of the world outside the program. */
export type Surroundings = {
  source: Record<string, string | undefined>
  resolveTxt: ResolveTxt
  /** The text of `/proc/self/mountinfo`; empty where there is none. */
  mountInfo: string
  now: Date
}

/** Looks at everything that an installation needs, one after another, and changes nothing. */
export async function diagnose({ source, resolveTxt, mountInfo, now }: Surroundings): Promise<Finding[]> {
  const { env, findings } = checkConfiguration(source)
  const data = existsSync(env.DATA_DIR)
    ? [
        ...checkDatabase(env.DATA_DIR, now),
        checkBackups(env.DATA_DIR, now),
        ...(await checkRunningServer(env)),
      ]
    : []
  return [
    ...findings,
    await checkMailServer(env.SMTP_URL),
    // Files need no domain.
    ...(env.SMTP_URL ? await checkSenderDomain(env.MAIL_FROM, resolveTxt) : []),
    checkProxy(env),
    ...checkDataDirectory(env.DATA_DIR, mountInfo),
    ...data,
  ]
}
