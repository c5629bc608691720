import type { RequestHandler } from 'express'
import { pages } from '#shared/pages.ts'

/**
 * Redirects other spellings of a page's path (`//`, `/Privacy/`, `/%70rivacy`) to the path itself. The router in the browser
 * accepts them, but without the redirect, the server would respond with the 404 page.
 */
export const redirects: RequestHandler = ({ method, url, path }, response, next) => {
  const location = method === 'GET' || method === 'HEAD' ? redirectOf(url, path) : undefined
  if (location) response.redirect(308, location)
  else next()
}

function redirectOf(url: string, path: string): string | undefined {
  // Also removes backslashes: browsers treat `/\` as `//`, so a redirect to `/\evil.example` would lead to another site.
  if (url.startsWith('//')) return url.replace(/^[/\\]+/, '/')
  const page = decoded(path).toLowerCase().replace(/\/+$/, '')
  return Object.values(pages).includes(page as never) ? page + (/\?.*/s.exec(url)?.[0] ?? '') : undefined
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
