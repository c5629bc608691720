import { registerHooks } from 'node:module'
import { type Weakness, weakeningsOf } from './weakenings.ts'

// Loaded before the program (`--import`): the production code holds no switch for this.
const weakness = new URL(import.meta.url).searchParams.get('weakness') as Weakness

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const wanted = weakeningsOf(weakness, url)
    if (wanted.length === 0) return loaded
    let source = Buffer.from(loaded.source as Uint8Array).toString()
    for (const { file, from, to } of wanted) {
      // A control that changes nothing would prove nothing.
      if (source.split(from).length !== 2) throw new Error(`${file} does not hold exactly once: ${from}`)
      source = source.replace(from, () => to)
    }
    return { ...loaded, source }
  },
})
