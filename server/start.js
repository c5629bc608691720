// This file is JavaScript, because it sets up Node before loading the program. Run it with the flags in package.json and
// the Dockerfile, which turn off two of V8's compilers: Maglev wastes 15 MB of memory through fragmentation, and the code
// of Sparkplug takes 4 MB but saves only 4% of the time of a GET.
import './check-node.js'
import { existsSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'

// Without this flag, V8 lets the heap double before it collects garbage: 100 MB more after 10,000 posts. It isn't set on
// the command line, because there it would also shrink the young generation to 1 MB and halve the throughput.
setFlagsFromString('--optimize-for-size')

// Deletes three getters of `node:http`, because importing it reads all of them, and these would load undici: 14 MB that we
// never use.
const http = process.getBuiltinModule('node:http')
for (const name of ['WebSocket', 'CloseEvent', 'MessageEvent']) Reflect.deleteProperty(http, name)

// npm runs this program in a shell. A SIGTERM to npm ends that shell, but doesn't reach us, so stop once our parent is gone.
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

// The bundle of main.ts.
const program = import.meta.resolve('#server')
if (!existsSync(new URL(program))) {
  process.stderr.write('The site is not built yet. Run: npm run build\n')
  process.exit(1)
}
await import(program)
// Everything is closed and logged: no leftover handle may keep the process alive.
process.exit()
