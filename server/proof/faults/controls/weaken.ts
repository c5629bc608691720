import { registerHooks } from 'node:module'
import { type Weakness, weaken, weakeningsOf } from './weakenings.ts'

// Applies a weakness (edits that remove one of the program's guarantees) to the source code while
// Node loads it. This file is loaded with `--import`, so that the program itself needs no test
// switch.
const weakness = new URL(import.meta.url).searchParams.get('weakness') as Weakness

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const wanted = weakeningsOf(weakness, url)
    if (wanted.length === 0) return loaded
    const source = Buffer.from(loaded.source as Uint8Array).toString()
    return { ...loaded, source: wanted.reduce(weaken, source) }
  },
})
