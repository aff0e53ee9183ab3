/** The port of gRPC, as the agent card names it. */
export async function grpcPortOf(base: string): Promise<number> {
  const card = await (await fetch(`${base}/.well-known/agent-card.json`)).text();
  return Number(/"127\.0\.0\.1:(\d+)"/.exec(card)?.[1]);
}
