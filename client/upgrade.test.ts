import { execFileSync, execSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'fork-'))
const [upstream, fork] = [join(folder, 'upstream.git'), join(folder, 'fork')]
const owner = ['-c', 'user.name=Owner', '-c', 'user.email=owner@agency.example', '-c', 'commit.gpgsign=false']
const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', [...owner, ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim()

/** The first commit with today's layout of facts and words; undefined if this clone doesn't have the full history. */
function findFirstLayout(): string | undefined {
  const marks = ['shared/business/brand.ts', 'client/brand/words/hero.ts']
  try {
    if (git(root, 'rev-parse', '--is-shallow-repository') !== 'false') return undefined
    const added = git(root, 'log', '--reverse', '--format=%H', '--diff-filter=A', '--', ...marks).split('\n')
    return added.find((commit) => git(root, 'ls-tree', commit, ...marks).split('\n').length === marks.length)
  } catch {
    return undefined
  }
}

/** What an agency changes first: its name, address, hours and prices, and the words of three sections. */
const edits: [file: string, pattern: RegExp, text: string][] = [
  ['shared/business/brand.ts', /(name|legalName): '.*'/g, "$1: 'Hillside Web'"],
  ['shared/business/brand.ts', /city: '.*'(,\s+region): '.*'/, "city: 'Cleveland'$1: 'OH'"],
  ['shared/business/hours.ts', /opens: '.*'/, "opens: '09:00'"],
  ['shared/business/plans.ts', /monthly: 49/, 'monthly: 39'],
  ['client/brand/words/hero.ts', /(lead =) .*/, "$1 'We build websites for the valley.'"],
  ['client/brand/words/services.ts', /(title|intro) = '.*'/g, "$1 = 'All that a shop needs'"],
  ['client/brand/words/pricing.ts', /(title) = '.*'/, "$1 = 'Our prices'"],
]
const ownFiles = [...new Set(edits.map(([file]) => file))].sort()

function edit(file: string, pattern: RegExp, text: string) {
  const before = readFileSync(join(fork, file), 'utf8')
  expect(before).toMatch(pattern)
  writeFileSync(join(fork, file), before.replace(pattern, text))
}

/** The git commands that operations.md lists for an upgrade, with the path of our local `upstream` instead of the URL. */
function upgradeCommands(): string[] {
  const section =
    readFileSync(join(root, 'server/operations.md'), 'utf8').split('**Your own version.**')[1] ?? ''
  const [, commands = ''] = /```sh\n([^`]*)```/.exec(section) ?? []
  return commands
    .split('\n')
    .filter((line) => line.startsWith('git '))
    .map((line) => line.replace(/https:\S+/, `"${upstream}"`).replace(/^git/, `git ${owner.join(' ')}`))
}

const first = findFirstLayout()
if (!first)
  process.stderr.write('The history of this clone is not complete, so the upgrade tests are SKIPPED.\n')

beforeAll(() => {
  if (!first) return
  git(root, 'clone', '-q', '--shared', '--bare', root, upstream)
  git(upstream, 'update-ref', 'refs/heads/main', git(root, 'rev-parse', 'HEAD'))
  git(root, 'clone', '-q', '--shared', '--no-checkout', upstream, fork)
  git(fork, 'checkout', '-q', '-B', 'main', first)
  for (const [file, pattern, text] of edits) edit(file, pattern, text)
  git(fork, 'commit', '-qam', 'Make it ours')
  symlinkSync(join(root, 'node_modules'), join(fork, 'node_modules'), 'junction')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.skipIf(!first)('a fork with its own facts and words upgrades without a conflict', () => {
  const commands = upgradeCommands()
  const own = git(fork, 'rev-parse', 'HEAD')

  for (const command of commands) execSync(command, { cwd: fork, stdio: 'pipe' })

  expect(commands).toHaveLength(5)
  expect(git(fork, 'diff', '--name-only', own, '--', ...ownFiles)).toBe('')
  expect(git(fork, 'diff', '--name-only', 'upstream/main').split('\n').sort()).toEqual(ownFiles)
})
