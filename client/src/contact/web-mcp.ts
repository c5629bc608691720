/** The declarative WebMCP attributes: they tell a browser's agent what the form is for. React passes them through. */
export type AgentTool = { toolname?: string; tooldescription?: string }
export type AgentHint = { toolparamdescription?: string }
