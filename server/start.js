// What must be settled before the first line of TypeScript is read, which is why this is JavaScript. Started with
// --no-maglev (package.json, Dockerfile): that compiler's background work fragments 15 MB.
import './check-node.js'
// Not by name: an old Node.js would stop at a name it does not know, before the check above.
import nodeModule from 'node:module'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'

// Keeps compiled code for the next start: otherwise Node loads its TypeScript compiler each time, 0.3 s and 30 MB. Where
// nothing can be written, it does without. Not in /tmp, where others could put something in its place.
nodeModule.enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/plumbline'))

// Without it, V8 lets the heap double before it collects: 100 MB more after 10 000 posts. On the command line it also
// shrinks the young generation to 1 MB for good, which halves the rate of posts; this early, before anything has run, it
// only changes when to collect.
setFlagsFromString('--optimize-for-size')

// To import `node:http` is to read all of its getters, and these load undici: 14 MB for what is used nowhere here.
const http = process.getBuiltinModule('node:http')
for (const name of ['WebSocket', 'CloseEvent', 'MessageEvent']) Reflect.deleteProperty(http, name)

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
// All is closed, and the log is written as it goes: nothing that was forgotten may keep the process.
process.exit()
