import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import packageJson from '../../../package.json' with { type: 'json' }
import { apart, roomOf, rooms, sameNames } from './rooms.ts'

const isProof = /\.(?:test|spec)\.tsx?$|^server\/proof\/|^client\/e2e\//
const importPattern = /^(?:import|export)\s[^'"]*?'([^']+)'/gm
const exportPattern = /^export (?:async )?(?:function|const|let|class|type) (\w+)/gm

/**
 * Lists the arrows between rooms that must not be, and the names that two files export for
 * different things.
 */
export function findTrouble(sources: ReadonlyMap<string, string>): string[] {
  const trouble: string[] = []
  const places = new Map<string, string[]>()
  for (const [file, source] of sources) {
    for (const [, specifier = ''] of source.matchAll(importPattern)) {
      const target = resolve(file, specifier)
      if (target && !mayImport(roomOf(file), roomOf(target)))
        trouble.push(`${file} must not import ${target}`)
    }
    if (sameNames.test(file)) continue
    for (const [, name = ''] of source.matchAll(exportPattern))
      places.set(name, [...(places.get(name) ?? []), file])
  }
  for (const [name, files] of places)
    if (files.length > 1) trouble.push(`${name} is exported by ${files.join(' and ')}`)
  return trouble
}

/** The path of an imported file of this project; undefined for a package. */
function resolve(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return join(dirname(file), specifier)
  for (const [alias, path] of Object.entries(packageJson.imports)) {
    const prefix = alias.replace('*', '')
    if (specifier.startsWith(prefix)) return join(path.replace('*', ''), specifier.slice(prefix.length))
  }
  return undefined
}

function mayImport(room: string, other: string): boolean {
  if (apart.some(([from, to]) => from === room && to === other)) return false
  return room === other || (rooms.indexOf(other) >= 0 && rooms.indexOf(other) < rooms.indexOf(room))
}

/**
 * The product's sources by path: all files of the version control that are neither tests nor
 * benchmarks.
 */
export function readSources(): Map<string, string> {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx'], {
    encoding: 'utf8',
  })
  const files = listed.split('\n').filter((file) => file !== '' && !isProof.test(file))
  return new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
}

if (import.meta.main) {
  const trouble = findTrouble(readSources())
  for (const line of trouble) process.stderr.write(`${line}\n`)
  process.exitCode = trouble.length > 0 ? 1 : 0
}
