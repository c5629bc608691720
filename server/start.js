// What must be settled before the first line of TypeScript is read, which is why this is JavaScript. Flags for V8 belong on
// the command line (package.json, Dockerfile): set later, they can crash the process.
//   --optimize-for-size  Without it, V8 lets the heap double before it collects: 100 MB more after 10 000 posts.
//   --no-maglev          Its background compilation fragments 15 MB.
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Keeps compiled code for the next start: otherwise Node loads its TypeScript compiler each time, 0.3 s and 30 MB. Where
// nothing can be written, it does without. Not in /tmp, where others could put something in its place.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/plumbline'))

// npm hands SIGTERM to the shell between itself and us, and the shell dies without passing it on.
const PARENT_CHECK_MS = 250
if (process.env.npm_lifecycle_event) {
  const parent = process.ppid
  const watching = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watching)
    process.kill(process.pid, 'SIGTERM')
  }, PARENT_CHECK_MS)
  watching.unref()
}

await import('./main.ts')
