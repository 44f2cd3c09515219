// The sockets of the server; Boost's network headers are slow to compile and stay in this unit.
#define BOOST_ASIO_DISABLE_FENCED_BLOCK  // one thread runs all handlers; the thread sanitizer does not know fences

#include "cairn/view/server.hpp"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <chrono>
#include <optional>
#include <utility>

#include "cairn/view/answers.hpp"
#include "cairn/view/force_ranges.hpp"

namespace cairn::view {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;
using Parser = http::request_parser<http::empty_body>;

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(std::max(1L, static_cast<long>(seconds * 1000)));
}

// 128 bits of the system's, as hexadecimal digits; empty where it has none to give.
std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) return "";
  std::string token;
  for (const unsigned char b : bytes) token += fmt::format("{:02x}", b);
  return token;
}

bool is_token(const std::string& text) {
  constexpr std::size_t most = 128;
  return !text.empty() && text.size() <= most && std::ranges::all_of(text, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
}

std::vector<std::string_view> all_of(const http::fields& fields, http::field name) {
  std::vector<std::string_view> values;
  const auto [first, last] = fields.equal_range(name);
  for (auto f = first; f != last; ++f) values.emplace_back(f->value().data(), f->value().size());
  return values;
}

std::string_view first_of(const http::fields& fields, const char* name) {
  const auto value = fields[name];
  return {value.data(), value.size()};
}

// Views into the parser.
Request request_of(const Parser& parser) {
  const auto& message = parser.get();
  Request r;
  r.method = message.method() == http::verb::get    ? Request::Method::get
             : message.method() == http::verb::head ? Request::Method::head
                                                    : Request::Method::other;
  r.target = {message.target().data(), message.target().size()};
  r.hosts = all_of(message, http::field::host), r.origins = all_of(message, http::field::origin);
  r.fetch_site = first_of(message, "Sec-Fetch-Site"), r.fetch_dest = first_of(message, "Sec-Fetch-Dest");
  const std::string_view length = first_of(message, "Content-Length");
  r.body = parser.chunked() || message.count(http::field::transfer_encoding) > 0 || !(length.empty() || length == "0");
  return r;
}

struct Shared {
  const ServerOptions& options;
  Answers& answers;
  int connections = 0;
};

// One connection: a request at a time, each within its time and size, until one of the sides has enough. A handler that
// is under way keeps the object alive.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket socket, Shared& shared)
      : socket_(std::move(socket)), timer_(socket_.get_executor()), shared_(shared) {
    ++shared_.connections;
  }
  ~Connection() { --shared_.connections; }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void start() { next_request(); }

 private:
  void next_request() {
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(shared_.options.request_bytes));
    taken_ = 0;
    expect_within(shared_.options.request_seconds, [this] {
      if (received_.empty() && taken_ == 0) return close();
      refuse(408, "too slow");
    });
    parse();
  }

  // What has come so far; reads on where the head is not whole.
  void parse() {
    error_code failure;
    const std::size_t used = received_.empty() ? 0 : parser_->put(asio::buffer(received_), failure);
    received_.erase(0, used), taken_ += used;
    if (failure == http::error::need_more) failure = {};
    if (failure == http::error::header_limit || taken_ + received_.size() > shared_.options.request_bytes)
      return refuse(431, "head too large");
    if (failure) return refuse(400, "bad request");
    if (parser_->is_header_done()) return answer();
    read();
  }

  // One read at a time: what is under way when the connection is to be left goes on as one whose bytes are dropped.
  void read() {
    if (std::exchange(reading_, true)) return;
    socket_.async_read_some(asio::buffer(piece_), [self = shared_from_this()](error_code bad, std::size_t n) {
      self->reading_ = false;
      if (bad) return self->close();
      self->leaving_ ? self->drop(n) : self->take(n);
    });
  }
  void take(std::size_t n) {
    received_.append(piece_.data(), n);
    parse();
  }
  void drop(std::size_t n) {
    constexpr std::size_t most = 1 << 20;
    dropped_ += n;
    dropped_ > most ? close() : read();
  }

  void answer() {
    const Request request = request_of(*parser_);
    Answer answer = shared_.answers.to(request);
    const bool keep_alive = parser_->keep_alive() && parser_->is_done() && answer.status == 200;
    send(std::move(answer), keep_alive, request.method == Request::Method::head);
  }

  void refuse(int status, const char* text) { send({status, Answer().type, std::string(text) + "\n"}, false, false); }

  void send(Answer answer, bool keep_alive, bool head_only) {
    leaving_ = !keep_alive;
    head_ = head_of(answer, keep_alive);
    body_ = head_only ? "" : std::move(answer.body);
    expect_within(shared_.options.answer_seconds, [this] { close(); });
    const std::array<asio::const_buffer, 2> both{asio::buffer(head_), asio::buffer(body_)};
    asio::async_write(socket_, both, [self = shared_from_this()](error_code bad, std::size_t) {
      if (bad) return self->close();
      self->body_.clear(), self->body_.shrink_to_fit();  // it may be large, and the connection idle
      self->leaving_ ? self->leave() : self->next_request();
    });
  }

  // Closed at once with bytes not read, the other side would lose the answer: what still comes is read for a moment.
  void leave() {
    constexpr double moment = 0.5;  // [s]
    error_code ignored;
    socket_.shutdown(tcp::socket::shutdown_send, ignored);
    expect_within(std::min(moment, shared_.options.request_seconds), [this] { close(); });
    read();
  }

  // Shut down first: the other side hears of it even where a child process has the socket open too.
  void close() {
    error_code ignored;
    timer_.cancel();
    socket_.shutdown(tcp::socket::shutdown_both, ignored);
    socket_.close(ignored);
  }

  // `late` unless another such call comes before.
  template <class Late>
  void expect_within(double seconds, Late late) {
    timer_.expires_after(milliseconds(seconds));
    timer_.async_wait([self = shared_from_this(), late](error_code cancelled) {
      if (!cancelled && self->timer_.expiry() <= std::chrono::steady_clock::now()) late();
    });
  }

  tcp::socket socket_;
  asio::steady_timer timer_;
  Shared& shared_;
  std::optional<Parser> parser_;  // of the request under way
  std::string received_;          // not yet parsed
  std::size_t taken_ = 0;         // bytes of the request that are parsed
  std::array<char, 4096> piece_{};
  std::string head_, body_;  // on their way
  std::size_t dropped_ = 0;  // bytes that came when the connection was being left
  bool reading_ = false;
  bool leaving_ = false;  // no further request is wanted
};

}  // namespace

struct Server::State {
  ServerOptions options;
  std::unique_ptr<Result> result;
  std::unique_ptr<Answers> answers;
  std::optional<Shared> shared;
  std::string host;  // with the port, as addresses name it
  asio::io_context context{1};
  tcp::acceptor acceptor{context};
  asio::steady_timer pause{context};
  std::atomic<bool> stopped = false;

  std::string url_of(const std::string& token) const { return fmt::format("http://{}/{}/", host, token); }
  std::string listen();
  void accept();
  void turn_away(tcp::socket socket);
};

std::string Server::State::listen() {
  error_code bad;
  const auto address = asio::ip::make_address(options.address, bad);
  if (bad) return fmt::format("address '{}', expected a numeric one such as 127.0.0.1", options.address);
  if (options.port < 0 || options.port > 65535) return fmt::format("port {}, expected 0 to 65535", options.port);
  const tcp::endpoint place(address, static_cast<unsigned short>(options.port));
  acceptor.open(place.protocol(), bad);
  if (!bad) acceptor.set_option(tcp::acceptor::reuse_address(true), bad);
  if (!bad) acceptor.bind(place, bad);
  if (!bad) acceptor.listen(asio::socket_base::max_listen_connections, bad);
  if (!bad) options.port = acceptor.local_endpoint(bad).port();
  if (bad) return fmt::format("{} port {}: {}", options.address, options.port, bad.message());
  options.address = address.to_string();
  return "";
}

void Server::State::accept() {
  acceptor.async_accept([this](error_code bad, tcp::socket socket) {
    if (bad == asio::error::operation_aborted) return;
    if (!bad && shared->connections >= options.connections)
      turn_away(std::move(socket));
    else if (!bad)
      std::make_shared<Connection>(std::move(socket), *shared)->start();
    if (!bad) return accept();
    pause.expires_after(std::chrono::milliseconds(100));  // no file numbers left, say: not in a busy loop
    pause.async_wait([this](error_code cancelled) {
      if (!cancelled) accept();
    });
  });
}

// As much as goes out without waiting.
void Server::State::turn_away(tcp::socket socket) {
  error_code ignored;
  const Answer busy{503, Answer().type, "too many connections\n"};
  socket.non_blocking(true, ignored);
  socket.write_some(asio::buffer(head_of(busy, false) + busy.body), ignored);
}

Server::Server(std::unique_ptr<State> state) : state_(std::move(state)) {}
Server::Server(Server&&) noexcept = default;
Server& Server::operator=(Server&&) noexcept = default;
Server::~Server() = default;

Expected<Server> Server::make(std::unique_ptr<Result> result, std::string page, const ServerOptions& options) {
  auto state = std::make_unique<State>();
  state->options = options;
  if (options.token.empty()) state->options.token = random_token();
  if (state->options.token.empty()) return Error{"the system gives no random numbers for a token"};
  if (!is_token(state->options.token)) return Error{"token: expected letters and digits"};
  if (const std::string bad = state->listen(); !bad.empty()) return Error{bad};
  const Hosts hosts(state->options.address, state->options.port);
  state->host = hosts.shown();
  state->result = std::move(result);
  state->answers = std::make_unique<Answers>(*state->result, std::move(page), state->options.token, hosts,
                                             options.forces.empty() ? no_force_bundle() : options.forces);
  state->options.forces.clear();  // once is enough
  state->shared.emplace(Shared{state->options, *state->answers});
  state->accept();
  return Server(std::move(state));
}

int Server::port() const { return state_->options.port; }
std::string Server::url() const { return state_->url_of(state_->options.token); }
std::string Server::url_for_once() {
  const std::string once = random_token();
  if (once.empty()) return url();
  state_->answers->let_in_once(once);
  return state_->url_of(once);
}

void Server::run(const std::function<bool()>& interrupted) {
  constexpr auto patience = std::chrono::milliseconds(200);
  while (!state_->stopped && !interrupted()) {
    state_->context.restart();
    state_->context.run_for(patience);
  }
}

void Server::stop() {
  state_->stopped = true;
  state_->context.stop();
}

}  // namespace cairn::view
