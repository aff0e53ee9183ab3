export const help = `Cosession: one live Gemini CLI session, shared by its terminal, programs and people.

Usage
  cosession --a2a-port <port> [any gemini flag or prompt]   start the Gemini CLI and share its session
  cosession [any gemini flag or prompt]                     plain Gemini CLI; /a2a on shares it later
  cosession serve [--demo] [flags]                          many sessions without a terminal; see cosession serve --help
  cosession --engine "<command>" [--a2a-port <port>]        run any ACP agent instead (goose, opencode, …) and share it
  cosession ls [--json]                                     list the live sessions of this user
  cosession attach [url]                                    take part in a live session from here; Ctrl-C leaves it running
  cosession watch [url] [--json]                            show what happens in it
  cosession send [url] <text> [--json]                      send a prompt and show its turn
  cosession approve [url] [option]                          answer its open question, by number or id
  cosession cancel [url]                                    stop its running turn
  cosession acp [url|session]                               an ACP agent on stdin/stdout, for editors: see docs/acp.md
  cosession token create|list|revoke                        tokens for a server of yours; see cosession token --help
  cosession alias                                           shell code that makes "gemini" start cosession

Flags of cosession (all others go to the Gemini CLI: see gemini --help with "cosession -- --help")
  --a2a-port <port>     serve A2A on 127.0.0.1:<port>; 0 picks a free port
  --grpc-port <port>    serve A2A over gRPC too, on 127.0.0.1:<port>; 0 picks a free port
  --push-allow <url>    webhooks may be private at or below this address (repeatable)
  --card-key <file>     sign the agent card with this private key (PEM)
  --turn-end <state>    completed, or input-required for A2A clients that continue a task when its turn is done
  --a2a-require-token   refuse clients without the session's token (see cosession ls --json)
  --acp-v2              ACP clients may speak version 2, a draft that changes: see docs/acp.md
  --demo                offline scripted model: no key, no network, your settings are not touched
  --engine <command>    the ACP agent to run, e.g. "goose acp"; without --a2a-port it gets a free port
  --engine-mode <id>    the mode the agent works in, by its own id
  --gemini-cli <path>   use this installed Gemini CLI; "system" takes the one on your PATH
  -v, --version         versions of cosession and of the Gemini CLI it starts
  -h, --help            this text

Flags of attach, watch, send, approve, cancel (without url: the only live session, or the newest in this folder)
  --json                events as they come, one JSON object per line
  --as <name>           the name that the terminal and other clients see
  --call <id>           approve: which question, when several are open
  COSESSION_TOKEN       environment: the token, for a session that cosession ls does not show

In the terminal
  /a2a on [port]   share the running session     /a2a off   stop sharing     /a2a   status and clients

Try it
  cosession --demo --a2a-port 41243
  curl http://localhost:41243/.well-known/agent-card.json
  npx wscat -c ws://localhost:41243/ws
`;
