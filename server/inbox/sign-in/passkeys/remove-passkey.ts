import { Problem } from '../../../problem.ts'
import type { InboxDeps } from '../../inbox-deps.ts'
import { queueSignInEmail } from '../queue-sign-in-email.ts'

type Deps = Pick<InboxDeps, 'write' | 'now' | 'mailTo' | 'mailFrom' | 'log' | 'onQueued'>

/** Removes a passkey, and tells its owner by email if the address is still in MAIL_TO. */
export const createRemovePasskey = ({ write, now, mailTo, mailFrom, log, onQueued }: Deps) =>
  async function removePasskey(id: string, { by, browser }: { by: string; browser: string }): Promise<void> {
    const removed = await write(async (transaction) => {
      const passkey = await transaction
        .deleteFrom('passkeys')
        .where('id', '=', id)
        .returning(['owner', 'name'])
        .executeTakeFirst()
      if (!passkey) return false
      const { owner, name } = passkey
      const news = { what: 'passkey_removed' as const, name, by, browser }
      if (mailTo.includes(owner)) await queueSignInEmail(transaction, { owner, news, mailFrom }, now())
      return true
    })
    if (!removed) throw new Problem('not_found', 'There is no such passkey.')
    onQueued()
    log.info('passkey removed')
  }
