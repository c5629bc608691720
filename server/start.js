// The way in: what has to be settled before the first line of TypeScript is read, which is why this is JavaScript.
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'

// Keeps what a start has compiled for the next: else Node loads its TypeScript compiler each time, 0.3 s of work and
// 30 MB. Where nothing can be written all goes on without. Not in /tmp, where others could put something in its place.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/plumbline'))

// Left alone, V8 lets its heap double before it tidies up: 100 MB more after 10 000 posts.
setFlagsFromString('--optimize-for-size')
// The middle one of V8's compilers works beside the program and leaves 15 MB of holes behind; the best one does without it.
setFlagsFromString('--no-maglev')

await import('./main.ts')
