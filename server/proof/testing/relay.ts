import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'

/**
 * The steps at which a mail server can misbehave. `dot` is the final dot, which ends the message.
 */
export type Stage = 'connect' | 'ehlo' | 'auth' | 'mail' | 'rcpt' | 'data' | 'dot'
/** A reply instead of the usual one, or a function that returns it; `undefined` means no reply. */
export type Misbehavior =
  | string
  | ((socket: Socket, line: string) => string | undefined | Promise<string | undefined>)
export type KeptEmail = { messageId: string; reference: string; recipient: string; text: string }
export type Relay = Awaited<ReturnType<typeof openRelay>>

const usual: Record<Stage, string> = {
  connect: '220 relay.example ESMTP',
  ehlo: '250-relay.example\r\n250 AUTH PLAIN LOGIN',
  auth: '235 2.7.0 welcome',
  mail: '250 2.1.0 ok',
  rcpt: '250 2.1.5 ok',
  data: '354 go on',
  dot: '250 2.0.0 kept',
}

export const stages = Object.keys(usual) as Stage[]

/** Closes the connection instead of replying. */
export function hangUp(socket: Socket) {
  socket.destroy()
  return undefined
}

/** A mail server that keeps every accepted email and can misbehave at every step. */
export async function openRelay() {
  const emails: KeptEmail[] = []
  const misbehavior: Partial<Record<Stage, Misbehavior>> = {}
  const sockets = new Set<Socket>()
  const reached = new Set<Stage>()

  async function reply(socket: Socket, stage: Stage, command = '') {
    reached.add(stage)
    const wrong = misbehavior[stage]
    const line =
      wrong === undefined ? usual[stage] : typeof wrong === 'string' ? wrong : await wrong(socket, command)
    if (line !== undefined && socket.writable) socket.write(`${line}\r\n`)
    return line
  }

  async function talk(socket: Socket) {
    await reply(socket, 'connect')
    let message: string[] | undefined
    for await (const line of createInterface(socket)) {
      if (message && line === '.') {
        const mail = toMail(message)
        message = undefined
        // Keep the email before replying, as a real server does: the reply may get lost.
        if (typeof misbehavior.dot !== 'string') emails.push(mail)
        await reply(socket, 'dot')
      } else if (message) message.push(line)
      else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
      else {
        const verb = line.slice(0, 4).toLowerCase().replace('helo', 'ehlo')
        const stage = stages.find((name) => name === verb)
        const sent = stage ? await reply(socket, stage, line) : undefined
        if (stage === 'data' && sent?.startsWith('354')) message = []
        if (!stage) socket.write('250 ok\r\n')
      }
    }
  }

  function hangUpAll() {
    for (const socket of sockets) socket.destroy()
  }

  async function close() {
    hangUpAll()
    server.close()
    await once(server, 'close')
  }

  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    talk(socket).catch(() => socket.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    url: `smtp://user:secret@127.0.0.1:${port}`,
    emails,
    reached,
    misbehave(stage: Stage, how: Misbehavior) {
      misbehavior[stage] = how
    },
    hangUp: hangUpAll,
    heal() {
      for (const stage of Object.keys(misbehavior)) delete misbehavior[stage as Stage]
      hangUpAll()
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

function toMail(lines: readonly string[]): KeptEmail {
  const text = lines.join('\n')
  return {
    text,
    messageId: text.match(/^Message-ID:\s*(\S+)/im)?.[1] ?? '',
    recipient: text.match(/^To: *<?([^\s<>]+)/im)?.[1] ?? '',
    reference: text.match(/^Subject:.*?\b(Q-[\w-]+)/im)?.[1] ?? '',
  }
}
