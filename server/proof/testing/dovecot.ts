import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { waitUntil } from './wait-until.ts'

const NOBODY = 65_534
const PASSWORD = 'op@n-sesame'

const passwords = `passdb {
  driver = static
  args = password=${PASSWORD}
}`

const tokensFrom = (path: string) => `auth_mechanisms = xoauth2
passdb {
  driver = oauth2
  mechanisms = xoauth2
  args = ${path}
}`

/** Whether Dovecot, a real IMAP server, is installed, and this process may run it. */
export const hasDovecot = (): boolean =>
  process.getuid?.() === 0 && spawnSync('dovecot', ['--version']).status === 0

/**
 * Starts a real IMAP server with an empty mailbox, which has a folder `Sent`, and with more of them
 * if needed. `parent`: where it keeps them. `checkUrl`: where it asks whether an access token is
 * valid; then, it accepts no passwords.
 */
export async function startDovecot(parent = tmpdir(), checkUrl?: string) {
  const folder = mkdtempSync(join(parent, 'website-dovecot-'))
  chmodSync(folder, 0o755)
  const port = await freePort()
  const mail = join(folder, 'mail')
  mkdirSync(mail)
  chownSync(mail, NOBODY, NOBODY)
  const config = join(folder, 'dovecot.conf')
  writeFileSync(
    config,
    `base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
listen = 127.0.0.1
protocols = imap
ssl = no
disable_plaintext_auth = no
auth_failure_delay = 0
first_valid_uid = 1
# If the machine has no inotify instance left.
mailbox_idle_check_interval = 1 secs
# Folders are made behind its back.
mailbox_list_index = no
mail_location = maildir:${mail}/%u
${checkUrl === undefined ? passwords : tokensFrom(join(folder, 'tokens.conf'))}
userdb {
  driver = static
  args = uid=${NOBODY} gid=${NOBODY} home=${mail}/%u
}
service imap-login {
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
namespace inbox {
  inbox = yes
  mailbox Sent {
    auto = create
    special_use = \\Sent
  }
  mailbox "All Mail" {
    special_use = \\All
  }
}
`,
  )
  if (checkUrl)
    writeFileSync(
      join(folder, 'tokens.conf'),
      `introspection_url = ${checkUrl}
introspection_mode = get
username_attribute = username
active_attribute = active
active_value = true
`,
    )
  let server: ChildProcess | undefined
  let mailboxes = 0
  let delivered = 0
  const user = () => `hello${mailboxes}@agency.example`

  const isReady = async () => {
    const socket = connect(port, '127.0.0.1')
    // On a busy machine, the greeting takes seconds.
    const greeted = once(socket, 'data', { signal: AbortSignal.timeout(5_000) })
    return await greeted
      .then(() => true)
      .catch(() => false)
      .finally(() => socket.destroy())
  }

  async function start() {
    server = spawn('dovecot', ['-F', '-c', config], { stdio: 'ignore', detached: true })
    await waitUntil('Dovecot is ready', isReady)
  }
  async function stop(signal: NodeJS.Signals = 'SIGTERM') {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    // Also its processes that serve clients.
    process.kill(-Number(server.pid), signal)
    await ended
  }
  /**
   * Puts a message into a folder of the newest mailbox, as a mail server does. `at`: when it was
   * received.
   */
  function deliver(message: string | Buffer, into = 'INBOX', at = new Date()) {
    const maildir = join(mail, user(), into === 'INBOX' ? '' : `.${into}`)
    for (const folder of [
      join(mail, user()),
      ...['', 'cur', 'new', 'tmp'].map((each) => join(maildir, each)),
    ]) {
      mkdirSync(folder, { recursive: true })
      chownSync(folder, NOBODY, NOBODY)
    }
    const name = `${Math.floor(Date.now() / 1000)}.M${String(++delivered).padStart(6, '0')}.test`
    writeFileSync(join(maildir, 'tmp', name), message)
    chownSync(join(maildir, 'tmp', name), NOBODY, NOBODY)
    utimesSync(join(maildir, 'tmp', name), at, at)
    renameSync(join(maildir, 'tmp', name), join(maildir, 'new', name))
  }

  await start()
  return {
    /** Makes another, empty mailbox the newest one. */
    addMailbox() {
      mailboxes++
      delivered = 0
    },
    /** The newest mailbox, for an email program. */
    get url() {
      return `imap://${encodeURIComponent(user())}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`
    },
    /** The user of the newest mailbox. */
    get user() {
      return user()
    },
    /** The newest mailbox, as a folder. */
    get maildir() {
      return join(mail, user())
    },
    start,
    stop,
    /** Ends all connections to the newest mailbox, as a server does when their tokens end. */
    endConnections: () => spawnSync('doveadm', ['-c', config, 'kick', user()]),
    deliver,
    /** Deletes the message that was delivered as this one of the newest mailbox, counted from 1. */
    remove(count: number) {
      const files = globSync(join(mail, user(), `*/*.M${String(count).padStart(6, '0')}.*`))
      for (const file of files) rmSync(file)
    },
    async [Symbol.asyncDispose]() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
