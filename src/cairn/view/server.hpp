// Serves the page and a results file over HTTP to this machine alone, to whoever knows the token.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "cairn/base/expected.hpp"
#include "cairn/view/result.hpp"

namespace cairn::view {

struct ServerOptions {
  std::string address = "127.0.0.1";  // another one opens the server to the network
  int port = 0;                       // 0: any that is free
  std::string token;                  // empty: a random one
  std::string forces;                 // a bundle of force_ranges.hpp; empty: none is known
  int connections = 32;               // at once; more are turned away
  std::size_t request_bytes = 8192;   // of a request's head
  double request_seconds = 10;        // for a request to arrive, and between two requests
  double answer_seconds = 60;         // for an answer to be taken
};

// One thread does it all, so that the results file is read by one thread alone.
class Server {
 public:
  // `page`: the HTML.
  static Expected<Server> make(std::unique_ptr<Result> result, std::string page, const ServerOptions& options);
  Server(Server&&) noexcept;
  Server& operator=(Server&&) noexcept;
  ~Server();

  int port() const;
  std::string url() const;  // with the token
  // Leads to the page once, and is of no use after: for command lines, which other users of the machine can see. To be
  // asked for before run().
  std::string url_for_once();
  // Serves until stop() is called, from another thread or a signal handler's flag: `interrupted` is asked a few times a
  // second.
  void run(const std::function<bool()>& interrupted = [] { return false; });
  void stop();

 private:
  struct State;
  explicit Server(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace cairn::view
