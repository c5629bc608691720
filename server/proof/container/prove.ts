const print = (line: string) => process.stdout.write(`${line}\n`)

export function expectThat(condition: boolean, seen: string): asserts condition {
  if (!condition) throw new Error(seen)
}

/** Runs the steps in order and prints each result. Stops at the first failure. */
export async function prove(steps: Record<string, () => Promise<string>>, cleanUp: () => Promise<void>) {
  try {
    for (const [name, step] of Object.entries(steps)) {
      const startedAt = performance.now()
      const seen = await step()
      print(`ok | ${name} | ${seen} | ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
    }
  } catch (error) {
    print(`FAILED | ${error instanceof Error ? error.stack : error}`)
    process.exitCode = 1
  } finally {
    await cleanUp()
  }
}
