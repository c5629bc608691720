import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { contactPath } from '#shared/contact-request.ts'
import { samplePost } from './load.ts'

// The crowd of visitors is a separate program, so that it doesn't slow down the program that times one more visitor. It
// checks only the status and length of each response: a full HTTP client would use more CPU time than the server itself.

/**
 * The parent process first sends the settings. Each later message starts posting over several connections or, if posting is
 * in progress, stops it. The answer to a start comes once every connection has received a
 * response. The answer to a stop contains the number of stored leads.
 */
process.once('message', (settings: { url: string; connections: number }) => {
  const url = new URL(settings.url)
  let running: ReturnType<typeof startPosting> | undefined

  process.on('message', async () => {
    if (running) {
      process.send?.(await running.stop())
      running = undefined
    } else {
      running = startPosting(url, settings.connections)
      process.send?.(await running.arrival)
    }
  })
  process.send?.({})
})

function startPosting(url: URL, connections: number) {
  let isOver = false
  let stored = 0
  const first = Array.from({ length: connections }, () => Promise.withResolvers<void>())
  const visitors = first.map(async ({ resolve }) => {
    const socket = connect(Number(url.port), url.hostname)
    await once(socket, 'connect')
    socket.on('close', () => {
      if (!isOver) throw new Error(`${url} closed a connection`)
    })
    while (!isOver) {
      await post(socket, url.host)
      stored++
      resolve()
    }
    socket.destroy()
  })

  return {
    arrival: Promise.all(first.map(({ promise }) => promise)).then(() => ({})),
    async stop() {
      isOver = true
      await Promise.all(visitors)
      return { stored }
    },
  }
}

async function post(socket: Socket, host: string) {
  const { headers, body } = samplePost()
  const lines = Object.entries({ host, ...headers, 'content-length': Buffer.byteLength(body) })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
  socket.write(`POST ${contactPath} HTTP/1.1\r\n${lines}\r\n${body}`)
  let response = ''
  while (isIncomplete(response)) {
    const [chunk] = await once(socket, 'data')
    response += chunk.toString('latin1')
  }
  if (!response.startsWith('HTTP/1.1 200')) throw new Error(response)
}

function isIncomplete(response: string): boolean {
  const headLength = response.indexOf('\r\n\r\n') + 4
  const [, bodyLength] = /^content-length: (\d+)/im.exec(response) ?? []
  return headLength < 4 || response.length < headLength + Number(bodyLength)
}
