import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

// Operating systems hand out higher ports by themselves, so another test could get such a port
// before the caller uses it.
const [FIRST, END] = [10_000, 32_000]

/** Finds a free port on this machine. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, END)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (isFree) {
      server.close()
      await once(server, 'close')
      return port
    }
  }
}
