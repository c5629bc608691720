import { expect, test } from 'vitest'
import { serviceDrawings } from '#brand/service-drawings.ts'

test('each filled shape of a drawing has an area', () => {
  const filled = Object.values(serviceDrawings).flatMap((paths) =>
    paths.flatMap(([style, d]) => (style === 'fill' ? (d.match(/m[^m]+/gi) ?? []) : [])),
  )

  expect(filled.length).toBeGreaterThan(9)
  // A single line has none.
  expect(filled.filter((shape) => (shape.match(/[hvlcqa]/gi) ?? []).length < 2)).toEqual([])
})
