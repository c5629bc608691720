// The way in: what has to be settled before the first line of TypeScript is read, which is why this is JavaScript.
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'

// Keeps what a start has compiled for the next: else Node loads its TypeScript compiler each time, 0.3 s of work and
// 30 MB. Where nothing can be written all goes on without. Not in /tmp, where others could put something in its place.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/plumbline'))

// Left alone, V8 lets 64 MB of litter lie before it tidies up, and trades memory for speed where this program needs
// none: after 10 000 posts that is 100 MB.
setFlagsFromString('--max-semi-space-size=2')
setFlagsFromString('--semi-space-growth-factor=1')
setFlagsFromString('--optimize-for-size')

await import('./main.ts')
