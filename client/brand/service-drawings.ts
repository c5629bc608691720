import type { ServiceId } from './words/services.ts'

/** `axis`: a thin dashed line; `strong`: a thick line; `fill`: a filled shape. */
type Path = readonly [style: 'axis' | 'line' | 'strong' | 'faint' | 'fill', d: string]

/** A drawing for each service, in a box of 280 by 150 units. */
export const serviceDrawings: Record<ServiceId, readonly Path[]> = {
  // A layout on its grid, with an arc drawn by a compass.
  'web-design': [
    ['axis', 'M54 10v130M140 10v130M226 10v130M30 75h220'],
    ['line', 'M54 26h172v98H54zM54 44h172M66 56h62v14H66zM152 56h62v54h-62zM152 110l22-30 14 18 10-12 16 24'],
    ['faint', 'M66 82h62M66 92h50'],
    ['fill', 'M66 102h34v12H66z'],
    ['line', 'M226 124A98 98 0 0 0 128 26'],
  ],
  // Search results with the first one highlighted, and a leveling rod.
  'real-seo': [
    ['line', 'M54 18h136a9 9 0 0 1 0 18H54a9 9 0 0 1 0-18zM184 31l6 6M180 24a4 4 0 1 1 0 7 4 4 0 0 1 0-7'],
    ['strong', 'M45 50h154v26H45z'],
    ['fill', 'M54 57h60v6H54z'],
    ['faint', 'M54 69h92M54 92h48M54 102h84M54 120h56M54 130h74'],
    ['line', 'M45 84h154v24H45zM45 114h154v22H45z'],
    ['line', 'M228 136V56M222 136h12M222 50l6-10 6 10z'],
    ['axis', 'M199 63h48'],
  ],
  // A server rack with a level line.
  'reliable-hosting': [
    ['strong', 'M84 16h112v118H84z'],
    [
      'line',
      'M94 26h92v22H94zM94 56h92v22H94zM94 86h92v22H94zM94 118h92M134 32h40M134 42h40M134 62h40M134 72h40M134 92h40M134 102h40',
    ],
    ['fill', 'M102 34h6v6h-6zM102 64h6v6h-6zM102 94h6v6h-6z'],
    ['faint', 'M114 37h10M114 67h10M114 97h10'],
    ['axis', 'M30 67h54M196 67h54'],
    ['line', 'M56 22v106M50 22h12M50 128h12M224 22v106M218 22h12M218 128h12'],
  ],
  // A telephone and a clock.
  'human-support': [
    ['axis', 'M30 126h220'],
    ['strong', 'M62 126l10-44h76l10 44z'],
    [
      'line',
      'M92 104a18 18 0 1 0 36 0 18 18 0 0 0-36 0M104 104a6 6 0 1 0 12 0 6 6 0 0 0-12 0M86 82V66h48v16',
    ],
    ['strong', 'M52 58c0-40 116-40 116 0v8h-28V54H80v12H52z'],
    [
      'line',
      'M186 62a28 28 0 1 0 56 0 28 28 0 0 0-56 0M214 38v5M214 81v5M190 62h5M233 62h5M214 62V46M214 62l-9 14',
    ],
    ['fill', 'M211 59h6v6h-6z'],
  ],
}
