import { once } from 'node:events'
import { Agent } from 'node:http'
import { postOnce } from './load.ts'

// The crowd of visitors is a separate program, so that it doesn't slow down the program that times
// one more visitor.

/**
 * The first message starts posting over several connections, and is answered once each has received
 * a response. The second stops it, and is answered with the number of stored leads.
 */
process.once('message', async ({ url, connections }: { url: string; connections: number }) => {
  let isOver = false
  let stored = 0
  const agent = new Agent({ keepAlive: true })
  const post = async () => {
    await postOnce(url, agent)
    stored++
  }
  const all = Array.from({ length: connections })
  await Promise.all(all.map(post))
  const visitors = all.map(async () => {
    while (!isOver) await post()
  })
  process.send?.({})
  await once(process, 'message')
  isOver = true
  await Promise.all(visitors)
  agent.destroy()
  process.send?.({ stored })
})
