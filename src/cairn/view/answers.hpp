// What a request over HTTP gets: who may ask, for what, and the answer. Knows no sockets.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/view/result.hpp"

namespace cairn::view {

struct Request {
  enum class Method { get, head, other };
  Method method = Method::other;
  std::string_view target;
  std::vector<std::string_view> hosts, origins;  // as often as the header came
  std::string_view fetch_site, fetch_dest;       // Sec-Fetch-...; empty: not there
  bool body = false;                             // it brings one, or may
};

struct Answer {
  int status = 404;
  std::string type = "text/plain; charset=utf-8", body = "not found\n";
  std::string location = {};  // where to go instead
};

// Status line and headers of an answer. The body follows, unless the request was HEAD.
std::string head_of(const Answer& answer, bool keep_alive);

// Hosts that a request may name, and with them the origins of pages that may ask: a page of another site that has its
// name lead to this machine (DNS rebinding) names itself.
class Hosts {
 public:
  // `address` as the server listens on it, a numeric one. Of all addresses (0.0.0.0, ::): any that is numeric.
  Hosts(const std::string& address, int port);
  bool allow(std::string_view host) const;
  const std::string& shown() const { return shown_; }  // with the port, for the URL

 private:
  std::vector<std::string> names_;
  std::string shown_, port_;
  bool any_numeric_ = false;
};

// One page and one results file below /TOKEN/. There are no files behind the paths: those not known are not found.
class Answers {
 public:
  // `forces`: a bundle of force_ranges.hpp.
  Answers(Result& result, std::string page, std::string token, Hosts hosts, std::string forces);
  Answer to(const Request& request);
  // /ONCE/ leads to the page, the first who asks and nobody after: for where others may read an address, such as the
  // list of processes.
  void let_in_once(std::string once) { once_ = std::move(once); }

 private:
  bool names(std::string_view target, const std::string& token) const;
  Answer found(std::string_view path, std::string_view query) const;

  Result& result_;
  std::string page_, token_, once_, forces_;
  Hosts hosts_;
};

}  // namespace cairn::view
