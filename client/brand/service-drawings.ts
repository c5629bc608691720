import type { ServiceId } from './words/services.ts'

/**
 * `strong`: a thick line; `solid`: the same around a shape, which hides what is behind it; `fill`:
 * a filled shape.
 */
type Path = readonly [style: 'line' | 'strong' | 'solid' | 'faint' | 'fill', d: string]

/**
 * A drawing for each service, in a box of 280 by 150 units. Its lower edge is the ground on which
 * all four stand, and a level line crosses all four at 64 units from the top.
 */
export const serviceDrawings: Record<ServiceId, readonly Path[]> = {
  // A web page on an easel, and the level from which the line goes out.
  'web-design': [
    ['solid', 'M62 14h170v102H62z'],
    [
      'line',
      'M62 32h170M158 44h64v60h-64zM158 104l22-30 14 18 10-10 18 22M200 57a5 5 0 1 0 10 0 5 5 0 0 0-10 0',
    ],
    ['line', 'M98 116L84 150M196 116l14 34M147 116v34'],
    ['fill', 'M74 45h66v9H74zM74 59h44v9H74zM74 92h38v13H74z'],
    ['faint', 'M74 77h70M74 84h54'],
    ['line', 'M8 58h27v12H8zM35 61h6v6h-6zM21 70v80M21 78L8 150M21 78l13 72'],
  ],
  // Search results on posts, the first of them level with the target of a leveling rod.
  'real-seo': [
    ['line', 'M49 10h126a9 9 0 0 1 0 18H49a9 9 0 0 1 0-18zM169 23l6 6M165 16a4 4 0 1 1 0 7 4 4 0 0 1 0-7'],
    ['solid', 'M36 48h152v32H36z'],
    ['fill', 'M47 53h62v8H47z'],
    ['faint', 'M47 72h104M47 96h48M47 103h90M47 124h56M47 131h78M60 28v20M164 28v20'],
    ['line', 'M36 88h152v22H36zM36 116h152v22H36zM60 80v8M164 80v8M60 110v6M164 110v6M60 138v12M164 138v12'],
    ['line', 'M231 8h14v142h-14z'],
    ['fill', 'M238 18h7v8h-7zm0 16h7v8h-7zm0 48h7v8h-7zm0 16h7v8h-7zm0 16h7v8h-7zm0 16h7v8h-7z'],
    ['strong', 'M226 64a12 12 0 1 0 24 0 12 12 0 0 0-24 0'],
    ['fill', 'M238 52a12 12 0 0 1 12 12h-12zM238 76a12 12 0 0 1-12-12h12z'],
  ],
  // A server rack.
  'reliable-hosting': [
    ['solid', 'M86 14h108v130H86z'],
    ['line', 'M96 24h88v22H96zM96 53h88v22H96zM96 82h88v22H96zM98 144v6M182 144v6'],
    ['line', 'M136 31h40M136 39h40M136 60h40M136 68h40M136 89h40M136 97h40M96 112h88v24H96z'],
    ['fill', 'M104 32h6v6h-6zM104 61h6v6h-6zM104 90h6v6h-6z'],
    ['faint', 'M116 35h12M116 64h12M116 93h12M104 120h72M104 128h72'],
  ],
  // A telephone on a desk, and a clock.
  'human-support': [
    ['strong', 'M32 124h214v7H32z'],
    ['line', 'M46 131v19M232 131v19'],
    ['strong', 'M58 124l10-44h76l10 44z'],
    [
      'line',
      'M88 102a18 18 0 1 0 36 0 18 18 0 0 0-36 0M100 102a6 6 0 1 0 12 0 6 6 0 0 0-12 0M82 80V64h48v16',
    ],
    ['strong', 'M48 56c0-40 116-40 116 0v8h-28V52H76v12H48z'],
    [
      'line',
      'M186 64a27 27 0 1 0 54 0 27 27 0 0 0-54 0M213 41v5M213 82v5M190 64h5M231 64h5M213 64V49M213 64l14 8',
    ],
    ['fill', 'M210 61h6v6h-6z'],
  ],
}
