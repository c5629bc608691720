import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** What a server does wrong when it's asked for one message. */
export type Mischief =
  | 'answers NO'
  | 'ends the connection'
  | 'says nothing'
  | 'has an odd bracket in the list of parts'
  | 'has an odd bracket in each row'
  | 'says that a literal is shorter'
  | 'leaves out what was asked for'
  | 'deletes it first'

/** When it does: always, only if more than the headers are asked for, or once. */
export type When = 'always' | 'beyond headers' | 'once'

/**
 * An IMAP server between a client and a real one, which does something wrong with the messages in
 * `hostile`, by their numbers (UID). `deletes`: deletes a message.
 */
export async function openHostileImap(url: string, deletes: (uid: number) => void = () => {}) {
  const { port, href } = new URL(url)
  const sockets = new Set<Socket>()
  const state = { refusesSearches: false, refused: 0, hidesSent: false, hidden: 0 }
  const hostile = new Map<number, { mischief: Mischief; when: When }>()

  const server = createServer((client) => {
    const upstream = connect(Number(port), '127.0.0.1')
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('close', () => [client, upstream].map((each) => each.destroy())).on('error', () => {})
    }
    /** The reply to a FETCH that is going to be changed. */
    let held: { tag: string; change: (reply: string) => string; reply: string } | undefined
    client.on('data', (data) => {
      const [, search] = /^(\w+) UID SEARCH /.exec(data.toString('latin1')) ?? []
      if (search && state.refusesSearches) {
        state.refused++
        return client.write(`${search} NO Try again later\r\n`)
      }
      const [, tag = '', range = '', items = ''] =
        /^(\w+) UID FETCH (\S+) (.*)\r\n$/.exec(data.toString('latin1')) ?? []
      const [uid = 0, what] = [...hostile].find(([each]) => isIn(range, each)) ?? []
      const isFirst = what?.when !== 'beyond headers' || !items.includes('HEADER')
      if (!what || !isFirst) return upstream.write(data)
      if (what.when === 'once') hostile.delete(uid)
      switch (what.mischief) {
        case 'answers NO':
          return client.write(`${tag} NO [SERVERBUG] Internal error\r\n`)
        case 'ends the connection':
          return client.destroy()
        case 'says nothing':
          return undefined
        case 'deletes it first':
          deletes(uid)
          return upstream.write(data)
        default:
          held = { tag, change: (reply) => changed(reply, uid, what.mischief), reply: '' }
          return upstream.write(data)
      }
    })
    upstream.on('data', (data) => {
      if (!held && state.hidesSent) {
        const shown = data.toString('latin1').replace(/^\* LIST .*Sent"?\r\n/gm, '')
        if (shown.length < data.length) state.hidden++
        return client.write(shown, 'latin1')
      }
      if (!held) return client.write(data)
      held.reply += data.toString('latin1')
      if (!new RegExp(`^${held.tag} `, 'm').test(held.reply)) return undefined
      client.write(Buffer.from(held.change(held.reply), 'latin1'))
      held = undefined
      return undefined
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port.')

  return {
    url: href.replace(`:${port}`, `:${address.port}`),
    hostile,
    state,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Whether a set of numbers, such as `3,5:9`, has this one. */
const isIn = (range: string, uid: number) =>
  range.split(',').some((part) => {
    const [first = '', last = first] = part.split(':')
    return uid >= Number(first) && (last === '*' || uid <= Number(last))
  })

/** The reply with something wrong in the row of one message. */
function changed(reply: string, uid: number, mischief: Mischief): string {
  const start = reply.search(new RegExp(`^\\* \\d+ FETCH \\((?:[^\\r\\n{]*\\s)?UID ${uid}[ )]`, 'm'))
  if (start < 0) return reply
  const [before, row] = [reply.slice(0, start), reply.slice(start)]
  switch (mischief) {
    case 'has an odd bracket in the list of parts':
      return before + row.replace('BODYSTRUCTURE (', 'BODYSTRUCTURE (]')
    case 'has an odd bracket in each row':
      return before + row.replace('FETCH (', 'FETCH (]')
    case 'says that a literal is shorter':
      return before + row.replace(/\{(\d+)\}/, (_all, bytes) => `{${Math.max(0, Number(bytes) - 60)}}`)
    case 'leaves out what was asked for': {
      const [, bytes = '0'] = /\{(\d+)\}/.exec(row) ?? []
      const from = row.indexOf('}\r\n') + 3 + Number(bytes)
      return before + row.replace(/FETCH .*/s, `FETCH (UID ${uid})`) + row.slice(row.indexOf('\r\n', from))
    }
    default:
      return reply
  }
}
