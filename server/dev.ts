import { join } from 'node:path'
import { createServer } from 'vite'

// This process runs both Vite, which serves the page with hot reload, and the real server, to which
// Vite forwards API requests. `node --watch` restarts the process after a change.
const port = process.env.PORT ?? '3000'
const vite = await createServer({
  configFile: join(import.meta.dirname, '../client/vite.config.ts'),
  server: { proxy: { '/functions': `http://localhost:${port}`, '/api': `http://localhost:${port}` } },
})
await vite.listen()
vite.printUrls()
await import('./main.ts')
