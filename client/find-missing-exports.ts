import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseSync } from 'vite'

/** Whether the owner of the site edits this file. A new version of the program can need exports that it doesn't have yet. */
const isOwners = (file: string) => /^(?:shared\/business|client\/brand)\/.*\.ts$/.test(file)

type Use = { file: string; name: string; by: string }

/** A message for each of the owner's files that lacks something the program imports from it. */
export function findMissingExports(root: string): string[] {
  const uses = globSync('{client,server,shared}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: ['client/{dist,e2e}/**', 'server/proof/**', '**/node_modules/**', '**/*.test.{ts,tsx}'],
  }).flatMap((file) => findUses(root, file.replaceAll(sep, '/')))
  const files = [...new Set(uses.map(({ file }) => file))].sort()
  return files.flatMap((file) => {
    const missing = new Map(
      uses
        .filter((use) => use.file === file)
        .map(({ name, by }): [string, string] => [name, by])
        .reverse(),
    )
    for (const name of exportsOf(join(root, file))) missing.delete(name)
    return missing.size > 0 ? [describe(file, missing)] : []
  })
}

const describe = (file: string, missing: Map<string, string>) =>
  `${file} lacks what this version needs. Add, with your own values:\n${[...missing]
    .map(([name, by]) => `  export const ${name} = ...    // for ${by}`)
    .join('\n')}`

/** What a file imports from the owner's files. Types don't count: they need no values. */
function findUses(root: string, by: string): Use[] {
  const source = readFileSync(join(root, by), 'utf8')
  if (!/from '[^']*(?:brand|business|facts|words|\.\/)[^']*'/.test(source)) return []
  const { module, program } = parseSync(by, source)
  return module.staticImports.flatMap(({ moduleRequest, entries }) => {
    const file = resolve(root, by, moduleRequest.value)
    if (!file || !isOwners(file)) return []
    return entries
      .filter(({ isType }) => !isType)
      .flatMap(({ importName, localName }) =>
        importName.kind === 'NamespaceObject'
          ? membersOf(program, localName.value)
          : [importName.name ?? 'default'],
      )
      .map((name) => ({ file, name, by }))
  })
}

/** The path of the imported file, relative to the root. Returns undefined for a package. */
function resolve(root: string, by: string, specifier: string): string | undefined {
  if (!/^[.#]/.test(specifier)) return undefined
  const url = specifier.startsWith('#')
    ? import.meta.resolve(specifier)
    : new URL(specifier, pathToFileURL(join(root, by))).href
  return relative(
    specifier.startsWith('#') ? join(import.meta.dirname, '..') : root,
    fileURLToPath(url),
  ).replaceAll(sep, '/')
}

/** Every `name` in `words.name`, where `words` is a namespace. */
function membersOf(node: unknown, namespace: string): string[] {
  if (typeof node !== 'object' || node === null) return []
  const { type, object, property, computed } = node as Record<string, { type?: string; name?: string }>
  if (String(type) === 'MemberExpression' && !computed && object?.name === namespace)
    return property?.name ? [property.name] : []
  return Object.values(node).flatMap((child) => membersOf(child, namespace))
}

function exportsOf(file: string): string[] {
  if (!existsSync(file)) return []
  const { module } = parseSync(file, readFileSync(file, 'utf8'))
  return module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ exportName, isType }) => (isType || !exportName.name ? [] : [exportName.name])),
  )
}
