import { once } from 'node:events'
import { Agent } from 'node:http'
import { postOnce } from './load.ts'

// The crowd of visitors is a separate program, so that it doesn't slow down the program that times one more visitor.

/**
 * The parent process first sends the settings. Each later message starts posting over several connections or, if posting is
 * in progress, stops it. The answer to a start comes once every connection has received a response. The answer to a stop
 * contains the number of stored leads.
 */
process.once('message', async ({ url, connections }: { url: string; connections: number }) => {
  process.send?.({})
  for (;;) {
    await once(process, 'message')
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
    const stopped = once(process, 'message')
    process.send?.({})
    await stopped
    isOver = true
    await Promise.all(visitors)
    agent.destroy()
    process.send?.({ stored })
  }
})
