/* Requests to the service, which is the only host that the page talks to. */

const PATIENCE = 60000;

/** An error with a message for people; `isTemporary` if the same request may succeed later. */
export class ServiceError extends Error {
  constructor(message, isTemporary, status = 0) {
    super(message);
    this.isTemporary = isTemporary;
    this.status = status;
  }
}

/** The answer for an input: a document or a sentence. `extras` are other parts of it to ask for. */
export async function label(input, extras, signal) {
  const query = new URLSearchParams(extras.map((name) => [name, true]));
  return JSON.parse(await post(`label?${query}`, input, signal));
}

/** What the service answers at a path, such as `corpus`, for some parameters. */
export async function get(path, query = {}, signal = undefined) {
  return JSON.parse(await request(`${path}?${new URLSearchParams(query)}`, {}, signal));
}

/** Writes corrections of a sentence, `{corrections, version}`. Returns the new version. */
export async function saveSentence(number, body) {
  return JSON.parse(await post(`sentence?number=${number}`, body)).version;
}

/** What the service answers to a body at a path, as a text. */
export function post(path, body, signal) {
  const headers = { "Content-Type": "application/json" };
  return request(path, { method: "POST", headers, body: JSON.stringify(body) }, signal);
}

async function request(path, options, signal) {
  const timeout = AbortSignal.timeout(PATIENCE);
  const either = signal ? AbortSignal.any([signal, timeout]) : timeout;
  let response, text;
  try {
    response = await fetch(path, { ...options, signal: either });
    text = await response.text();
  } catch (error) {
    if (signal?.aborted) throw error;
    if (timeout.aborted) throw new ServiceError("The service did not answer within a minute.", true);
    throw new ServiceError("The service cannot be reached. Is `lisa serve` still running?", true);
  }
  if (response.ok) return text;
  if (response.status === 429) {
    const wait = response.headers.get("Retry-After");
    throw new ServiceError(`The service is busy${wait ? `: try again in ${wait} s` : ""}.`, true);
  }
  throw new ServiceError(reasonOf(response, text), response.status >= 500, response.status);
}

function reasonOf(response, text) {
  try {
    return `The service refuses this: ${JSON.parse(text).error}`;
  } catch {
    return `The service answered with status ${response.status}.`;
  }
}
