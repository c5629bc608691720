import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { OutgoingHttpHeaders } from 'node:http'
import { join, relative, sep } from 'node:path'
import { contentType } from 'mime-types'
import { type PreparedResponse, prepareResponse } from './prepared-response.ts'

const COMPRESSED = ['.br', '.gz']

/**
 * Prepares a response for each file in a folder, with the compressed variants (`.br`, `.gz`) that are next to the file.
 * Returns a map from URL paths to responses.
 */
export function loadStaticFiles(folder: string, headers: OutgoingHttpHeaders): Map<string, PreparedResponse> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !COMPRESSED.some((ending) => entry.name.endsWith(ending)))
    .map((entry) => join(entry.parentPath, entry.name))
  return new Map(
    files.map((file) => {
      const path = `/${relative(folder, file).split(sep).join('/')}`
      return [path.replace(/\/index\.html$/, '/'), prepareFile(file, path, headers)]
    }),
  )
}

function prepareFile(file: string, path: string, headers: OutgoingHttpHeaders): PreparedResponse {
  const readIfThere = (name: string) => (existsSync(name) ? readFileSync(name) : undefined)
  const bodies = {
    identity: readFileSync(file),
    br: readIfThere(`${file}.br`),
    gzip: readIfThere(`${file}.gz`),
  }
  return prepareResponse(bodies, {
    ...headers,
    'Content-Type': contentType(path.slice(path.lastIndexOf('/') + 1)) || 'application/octet-stream',
    // The name of an asset contains a hash of its content, so a changed file gets a new URL.
    'Cache-Control': path.startsWith('/assets/')
      ? 'public, max-age=31536000, immutable'
      : 'public, max-age=3600',
  })
}
