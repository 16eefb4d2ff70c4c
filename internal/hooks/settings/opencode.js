// git-brew's plugin for opencode, put here by 'git brew init --agent opencode', taken out
// by 'git brew uninit'. It asks 'git-brew hook' at each event, and lets everything go on
// where that is missing or fails.
import { spawn } from "node:child_process"

export const GitBrew = async ({ client, directory }) => {
  const started = new Set()
  const told = new Map()

  // ask gives the answer to one event: an object, a text, or null for no opinion.
  const ask = (event, session, payload) =>
    new Promise((resolve) => {
      let out = ""
      const child = spawn("git-brew", ["hook", "--agent", "opencode"], {
        cwd: directory,
        stdio: ["pipe", "pipe", "ignore"],
        timeout: 5000,
        env: { ...process.env, CLAUDE_PROJECT_DIR: directory },
      })
      child.on("error", () => resolve(null))
      child.stdin.on("error", () => {})
      child.stdout.on("data", (data) => (out += data))
      child.on("close", () => {
        try {
          resolve(out.trim() ? JSON.parse(out) : null)
        } catch {
          resolve(out)
        }
      })
      child.stdin.end(JSON.stringify({ hook_event_name: event, session_id: session, cwd: directory, ...payload }))
    })
  const context = (answer) => answer?.hookSpecificOutput?.additionalContext
  // What a session is told stands in its system prompt: how the task stands, and what was
  // said to the last prompt.
  const tell = (session, what, text) => told.set(session, { ...told.get(session), [what]: text })
  const start = async (session, source) => {
    if (!session || (started.has(session) && source !== "compact")) return
    started.add(session)
    tell(session, "task", context(await ask("SessionStart", session, { source })))
  }
  // A session that has a parent is a sub-agent's, which the parent's hooks speak for.
  const children = new Map()
  const main = (session) => {
    for (let n = 0; children.has(session) && n < 32; n++) session = children.get(session)
    return session
  }
  const inside = (session) => (children.has(session) ? { agent_id: session, agent_type: "subagent" } : {})

  // What a command's file says nobody typed: the prompt is the command, as it was typed.
  const commands = new Map()
  const textOf = (parts) =>
    parts
      .filter((part) => part.type === "text" && !part.synthetic)
      .map((part) => part.text)
      .join("\n")

  const end = async (session) => started.delete(session) && (await ask("SessionEnd", session, { reason: "other" }))

  return {
    dispose: async () => {
      for (const session of [...started]) await end(session)
    },
    event: async ({ event }) => {
      const info = event.properties?.info
      const session = event.properties?.sessionID ?? info?.id
      if (event.type === "session.created" && info?.parentID) children.set(info.id, info.parentID)
      else if (event.type === "session.created") await start(session, "startup")
      else if (event.type === "session.compacted" && !children.has(session)) await start(session, "compact")
      else if (event.type === "session.deleted") await end(session)
      else if (event.type === "session.idle" && !children.has(session)) {
        const answer = await ask("Stop", session, {})
        if (answer?.decision === "block")
          await client.session.promptAsync({
            path: { id: session },
            body: { parts: [{ type: "text", text: answer.reason, synthetic: true }] },
          })
      }
    },
    "command.execute.before": async (input, output) => {
      const typed = `/${input.command} ${input.arguments ?? ""}`
      commands.set(input.sessionID, { typed, text: textOf(output.parts) })
    },
    "chat.message": async (input, output) => {
      if (children.has(input.sessionID)) return
      const text = textOf(output.parts)
      const command = commands.get(input.sessionID)
      const prompt = command?.text === text ? command.typed : text
      await start(input.sessionID, "startup")
      if (prompt) tell(input.sessionID, "prompt", context(await ask("UserPromptSubmit", input.sessionID, { prompt })))
    },
    "experimental.chat.system.transform": async (input, output) => {
      if (input.sessionID) output.system.push(...Object.values(told.get(input.sessionID) ?? {}).filter(Boolean))
    },
    "tool.execute.before": async (input, output) => {
      const answer = await ask("PreToolUse", main(input.sessionID), {
        tool_name: input.tool,
        tool_use_id: input.callID,
        tool_input: output.args,
        ...inside(input.sessionID),
      })
      const specific = answer?.hookSpecificOutput
      if (specific?.permissionDecision === "deny") throw new Error(specific.permissionDecisionReason)
      if (specific?.updatedInput) Object.assign(output.args, specific.updatedInput)
    },
    "tool.execute.after": async (input, output) => {
      const text = context(
        await ask("PostToolUse", main(input.sessionID), {
          tool_name: input.tool,
          tool_use_id: input.callID,
          tool_input: input.args,
          tool_response: { title: output.title },
          ...inside(input.sessionID),
        }),
      )
      if (text) output.output += "\n\n" + text
    },
    "experimental.session.compacting": async (input, output) => {
      const answer = await ask("PreCompact", input.sessionID, { trigger: "auto" })
      if (typeof answer === "string" && answer) output.context.push(answer)
    },
    "shell.env": async (input, output) => {
      if (input.sessionID) output.env.CLAUDE_CODE_SESSION_ID = main(input.sessionID)
    },
  }
}
