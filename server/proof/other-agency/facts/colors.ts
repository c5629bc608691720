import type { Colors } from '#shared/facts.ts'

export const colors = {
  background: ['#f3f6f2', '#101c15'],
  panel: ['#fbfdfb', '#16261d'],
  well: ['#e0e8df', '#1d3226'],
  text: ['#17251b', '#e6f0e9'],
  muted: ['#465549', '#a7bcae'],
  hairline: ['#c9d3c8', '#2f4b3a'],
  control: ['#66756a', '#6f8a79'],
  accent: ['#1d5fa8', '#7cb6f2'],
  action: ['#1d5fa8', '#7cb6f2'],
  'action-hover': ['#154678', '#a3ccf6'],
  'on-action': ['#ffffff', '#0e1b14'],
  line: ['#1c6b45', '#7fd0a3'],
  grid: ['#e2eee6', '#1a2d22'],
  error: ['#a81f2b', '#ff9d96'],
  success: ['#17663a', '#74d7a4'],
  band: ['#13261a', '#1c4a30'],
  footer: ['#17251b', '#0c150f'],
} as const satisfies Colors
